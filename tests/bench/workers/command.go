package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"strings"

	"golang.org/x/crypto/ssh"
)

func background() context.Context { return context.Background() }

func serveConnection(conn net.Conn, config *ssh.ServerConfig) {
	server, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		conn.Close()
		return
	}
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		if offered.ChannelType() != "session" {
			offered.Reject(ssh.UnknownChannelType, "only sessions")
			continue
		}
		if channel, asked, err := offered.Accept(); err == nil {
			go serveSession(channel, asked)
		}
	}
	server.Close()
}

func serveSession(channel ssh.Channel, requests <-chan *ssh.Request) {
	closed := make(chan struct{})
	defer close(closed)
	for request := range requests {
		if request.Type != "exec" || len(request.Payload) < 4 {
			request.Reply(false, nil)
			continue
		}
		request.Reply(true, nil)
		go runCommand(channel, string(request.Payload[4:]), closed)
	}
}

// Runs one command and tells its end. slipway's wrapper is recognized by its shape and acted out: the numbers behind it say how
// much of the input is the command, success travels as 255 (docs/adr/0005), and the command ends with its input. Other clients may
// end the input at once: their command ends with its channel.
func runCommand(channel ssh.Channel, line string, gone chan struct{}) {
	input := bufio.NewReaderSize(channel, 256)
	wrapped := strings.HasPrefix(line, "exec sh -c '") && strings.Contains(line, "' slipway ")
	if wrapped {
		line = readWrapped(line, input)
		gone = make(chan struct{})
	}
	go func() {
		io.Copy(io.Discard, input)
		if wrapped {
			close(gone)
		}
	}()
	status := perform(channel, strings.Fields(line), gone)
	if wrapped && status == 0 {
		status = 255
	}
	var payload [4]byte
	binary.BigEndian.PutUint32(payload[:], uint32(status))
	channel.SendRequest("exit-status", false, payload[:])
	channel.Close()
}

func readWrapped(line string, input io.Reader) string {
	words := strings.Fields(line[strings.LastIndex(line, "' slipway ")+len("' slipway "):])
	if len(words) < 2 {
		return ""
	}
	before, _ := strconv.Atoi(words[0])
	size, _ := strconv.Atoi(words[1])
	text := make([]byte, before+size)
	if _, err := io.ReadFull(input, text); err != nil {
		return ""
	}
	return string(text[before:])
}

// true | exit N | hold | bytes N | barrier PORT
func perform(out io.Writer, words []string, gone <-chan struct{}) int {
	if len(words) == 1 && words[0] == "true" {
		return 0
	}
	if len(words) == 1 && words[0] == "hold" {
		<-gone
		return 0
	}
	if len(words) == 2 {
		number, err := strconv.Atoi(words[1])
		switch {
		case err != nil:
		case words[0] == "exit":
			return number
		case words[0] == "bytes":
			return print(out, number)
		case words[0] == "barrier":
			return waitForPeers(number, gone)
		}
	}
	io.WriteString(out, "these workers cannot do that\n")
	return 127
}

var manyLines = strings.Repeat(strings.Repeat("x", 63)+"\n", 512)

func print(out io.Writer, size int) int {
	for size > 0 {
		piece := manyLines
		if size < len(piece) {
			piece = piece[:size]
		}
		n, err := io.WriteString(out, piece)
		if err != nil {
			return 1
		}
		size -= n
	}
	return 0
}
