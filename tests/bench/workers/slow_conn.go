package main

import (
	"net"
	"time"
)

// A connection whose bytes leave later than they were written, in order: the round-trip time of a network on a machine whose
// kernel cannot make one.
type slowConn struct {
	net.Conn
	delay time.Duration
	queue chan delayed
}

type delayed struct {
	due   time.Time
	bytes []byte
}

func newSlowConn(conn net.Conn, delay time.Duration) net.Conn {
	slow := &slowConn{Conn: conn, delay: delay, queue: make(chan delayed, 1024)}
	go slow.deliver()
	return slow
}

func (c *slowConn) deliver() {
	for piece := range c.queue {
		time.Sleep(time.Until(piece.due))
		c.Conn.Write(piece.bytes) // a reader that has gone is told to whoever reads
	}
	c.Conn.Close()
}

func (c *slowConn) Write(bytes []byte) (n int, err error) {
	defer func() {
		if recover() != nil { // closed meanwhile
			err = net.ErrClosed
		}
	}()
	c.queue <- delayed{time.Now().Add(c.delay), append([]byte(nil), bytes...)}
	return len(bytes), nil
}

// What was written still arrives.
func (c *slowConn) Close() (err error) {
	defer func() { recover() }() // a second time
	close(c.queue)
	return nil
}
