#!/usr/bin/env python3
"""asyncssh_client.py HOSTS SSH_CONFIG COMMAND: COMMAND on every host of a file, all at once, in one process.

What asyncssh does by itself, held to the port, user, key and algorithms of the ssh configuration that the other clients get.
"""
import asyncio
import sys

import asyncssh


def settings(path):
    words = (line.split(None, 1) for line in open(path) if line.startswith("  "))
    return {name: value.strip() for name, value in words}


async def run(host, config, key, command):
    connection = await asyncssh.connect(
        host, port=int(config["Port"]), username=config["User"], client_keys=[key], known_hosts=None, config=None,
        kex_algs=[config["KexAlgorithms"]], encryption_algs=[config["Ciphers"]], login_timeout=120, agent_path=None)
    async with connection:
        return (await connection.run(command)).exit_status


async def main(hosts, config_path, command):
    config = settings(config_path)
    key = asyncssh.read_private_key(config["IdentityFile"])
    names = [line.strip() for line in open(hosts)]
    codes = await asyncio.gather(*(run(name, config, key, command) for name in names))
    return max(codes)


sys.exit(asyncio.run(main(*sys.argv[1:4])))
