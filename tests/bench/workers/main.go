// The cheap workers of scripts/bench: one process that plays thousands of ssh servers and the TPU API that knows them.
//
// An OpenSSH server costs this machine 17 ms and 2 MB a connection, so a few hundred are all that fit beside the client that is
// measured. This one speaks the same protocol with real keys, and runs its commands in process. It is no server for anything
// else: it lets everybody in who holds the one key, and it knows the five commands of command.go.
//
//	workers -authorized KEY.pub -user NAME [-rtt 100ms]
//
// It prints shell exports when it listens, and ends with its standard input.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("workers: ")
	authorized := flag.String("authorized", "", "files with the public keys that may log in, with commas between")
	user := flag.String("user", "", "the login name in the metadata of the slices")
	rtt := flag.Duration("rtt", 0, "hold every byte of ours back for so long, as a network would")
	flag.Parse()

	lines := readKeys(strings.Split(*authorized, ","))
	signer := newHostKey()
	listener := listenOnLoopback()
	api := serveAPI(signer.PublicKey(), *user, lines)
	fmt.Printf("export SLIPWAY_SSH_PORT=%d\n", listener.Addr().(*net.TCPAddr).Port)
	fmt.Printf("export CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://%s/\n", api)
	os.Stdout.Close()

	go acceptAll(listener, serverConfig(signer, lines), *rtt)
	io.Copy(io.Discard, os.Stdin)
}

// The keys as authorized_keys lines, without their comments.
func readKeys(paths []string) []string {
	var lines []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		words := strings.Fields(string(text))
		if len(words) < 2 {
			log.Fatalf("%s holds no public key", path)
		}
		lines = append(lines, words[0]+" "+words[1])
	}
	return lines
}

func newHostKey() ssh.Signer {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		log.Fatal(err)
	}
	return signer
}

func serverConfig(signer ssh.Signer, lines []string) *ssh.ServerConfig {
	var allowed [][]byte
	for _, line := range lines {
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			log.Fatal(err)
		}
		allowed = append(allowed, key.Marshal())
	}
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			for _, one := range allowed {
				if bytes.Equal(one, key.Marshal()) {
					return nil, nil
				}
			}
			return nil, errors.New("not our key")
		},
	}
	config.AddHostKey(signer)
	return config
}

// All addresses of 127.0.0.0/8 at one port. The socket is bound to the loopback interface, so nobody outside reaches it; a
// socket for each address would take as many descriptors as the connections do.
func listenOnLoopback() net.Listener {
	control := func(_, _ string, raw syscall.RawConn) error {
		var failure error
		err := raw.Control(func(fd uintptr) { failure = syscall.BindToDevice(int(fd), "lo") })
		if err != nil {
			return err
		}
		return failure
	}
	config := net.ListenConfig{Control: control}
	listener, err := config.Listen(background(), "tcp4", "0.0.0.0:0")
	if err != nil {
		log.Fatal(err)
	}
	return listener
}

func acceptAll(listener net.Listener, config *ssh.ServerConfig, rtt time.Duration) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Print(err) // out of descriptors: the client's deadline tells
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if rtt > 0 {
			conn = newSlowConn(conn, rtt)
		}
		go serveConnection(conn, config)
	}
}
