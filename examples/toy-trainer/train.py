#!/usr/bin/env python3
"""A trainer as a job sees one: every process takes part in every step, and none goes on without all others.

Process 0 is the meeting place: a step is done when each process has sent its part, and then process 0 appends it to the
step log. Every SAVE_EVERY steps process 0 writes a checkpoint: the step's folder first, its commit marker last. Whoever loses
its peers ends with exit code 1, as a collective does. TERM makes it save and end with 0, as MaxText does.

  STEPS (100)         when it is done
  STEP_TIME (0.05)    seconds
  SAVE_EVERY (10)     steps
  TERM_SAVE_TIME (0)  seconds that the save on TERM takes before it is committed
  STEP_LOG            a file for one line a step: "attempt step time"; process 0 writes it
  slipway launch gives SLIPWAY_CHECKPOINT_DIR (a folder or gs://), SLIPWAY_RESUME_STEP and the rank.
"""
import json
import os
import signal
import socket
import sys
import time
import urllib.parse
import urllib.request

RANK = int(os.environ["SLIPWAY_PROCESS_ID"])
SIZE = int(os.environ["SLIPWAY_NUM_PROCESSES"])
COORDINATOR = os.environ["SLIPWAY_COORDINATOR"]
ATTEMPT = os.environ["SLIPWAY_ATTEMPT"]
CHECKPOINTS = os.environ["SLIPWAY_CHECKPOINT_DIR"]
STEPS = int(os.environ.get("STEPS", 100))
STEP_TIME = float(os.environ.get("STEP_TIME", 0.05))
SAVE_EVERY = int(os.environ.get("SAVE_EVERY", 10))
TERM_SAVE_TIME = float(os.environ.get("TERM_SAVE_TIME", 0))
STEP_LOG = os.environ.get("STEP_LOG")
PORT = int(os.environ.get("PORT", 23572))

told = False


def on_term(*_):
    global told
    told = True


def token():
    url = "http://%s/computeMetadata/v1/instance/service-accounts/default/token" % os.environ["GCE_METADATA_HOST"]
    asked = urllib.request.Request(url, headers={"Metadata-Flavor": "Google"})
    return json.load(urllib.request.urlopen(asked, timeout=10))["access_token"]


def put(name, text):
    """One object of the checkpoint, below the checkpoint folder."""
    if not CHECKPOINTS.startswith("gs://"):
        path = os.path.join(CHECKPOINTS, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return
    bucket, _, folder = CHECKPOINTS[5:].partition("/")
    query = urllib.parse.urlencode({"uploadType": "media", "name": folder + "/" + name})
    host = os.environ.get("STORAGE_EMULATOR_HOST", "https://storage.googleapis.com")
    request = urllib.request.Request("%s/upload/storage/v1/b/%s/o?%s" % (host, bucket, query), text.encode(),
                                     {"Authorization": "Bearer " + token(), "Content-Type": "text/plain"})
    urllib.request.urlopen(request, timeout=30).read()


def save(step):
    put("%d/state" % step, "sum %d\n" % (step * (step + 1) // 2))
    if told:
        time.sleep(TERM_SAVE_TIME)
    put("%d/commit_success.txt" % step, "committed\n")
    print("saved step %d" % step, flush=True)


def lines(connection):
    return connection.makefile("r", newline="\n")


def lead(first):
    """Process 0: gathers everybody, and steps."""
    server = socket.create_server((COORDINATOR, PORT), backlog=SIZE)
    peers = []
    while len(peers) < SIZE - 1:
        connection, _ = server.accept()
        peers.append((connection, lines(connection)))
    for step in range(first, STEPS + 1):
        time.sleep(STEP_TIME)
        for connection, _ in peers:
            connection.sendall(b"step %d\n" % step)
        for _, reader in peers:
            if reader.readline() != "%d\n" % step:
                raise ConnectionError("a peer is gone in step %d" % step)
        if STEP_LOG:
            with open(STEP_LOG, "a") as log:
                log.write("%s %d %.3f\n" % (ATTEMPT, step, time.time()))
        print("step %d of %d" % (step, STEPS), flush=True)
        if step % SAVE_EVERY == 0 or step == STEPS or told:
            save(step)
        if told:
            break
    for connection, _ in peers:
        connection.sendall(b"end\n")


def follow():
    """Everybody else: takes part in what process 0 says."""
    deadline = time.time() + 60
    while True:
        try:
            connection = socket.create_connection((COORDINATOR, PORT), timeout=10)
            break
        except OSError:
            if time.time() > deadline:
                raise
            time.sleep(0.05)
    connection.settimeout(None)
    for line in lines(connection):
        if line == "end\n":
            return
        connection.sendall(line[5:].encode())
    raise ConnectionError("process 0 is gone")


def main():
    signal.signal(signal.SIGTERM, on_term)
    first = int(os.environ.get("SLIPWAY_RESUME_STEP", 0)) + 1
    print("process %d of %d, attempt %s, from step %d" % (RANK, SIZE, ATTEMPT, first), flush=True)
    if first > STEPS:
        return
    try:
        lead(first) if RANK == 0 else follow()
    except OSError as error:
        sys.exit("lost my peers: %s" % error)


main()
