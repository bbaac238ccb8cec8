package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/crypto/ssh"
)

// As many of the TPU API's methods as `slipway run` needs, for resources that are always there: "scale-N" is N workers in slices
// of 64, each slice the node "scale-N-I".
type api struct {
	hostKey  ssh.PublicKey
	metadata string
}

type object = map[string]any

const workersOfSlice = 64

func serveAPI(hostKey ssh.PublicKey, user string, lines []string) string {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var keys []string
	for _, line := range lines {
		keys = append(keys, user+":"+line)
	}
	go http.Serve(listener, &api{hostKey, strings.Join(keys, "\n")})
	return listener.Addr().String()
}

func (a *api) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	path := strings.TrimPrefix(strings.TrimPrefix(request.URL.Path, "/v2alpha1/"), "/v2/")
	method := ""
	if colon := strings.LastIndexByte(path, ':'); colon >= 0 {
		path, method = path[:colon], path[colon+1:]
	}
	parts := strings.Split(path, "/")
	document := a.document(path, parts[len(parts)-1], method)
	answer.Header().Set("Content-Type", "application/json")
	if document == nil {
		answer.WriteHeader(http.StatusNotFound)
		document = object{"error": object{"code": 404, "message": "these workers have no " + path, "status": "NOT_FOUND"}}
	}
	json.NewEncoder(answer).Encode(document)
}

func (a *api) document(path, name, method string) object {
	words := strings.Split(name, "-")
	var numbers []int
	for _, word := range words[1:] {
		number, err := strconv.Atoi(word)
		if err != nil {
			return nil
		}
		numbers = append(numbers, number)
	}
	switch {
	case len(numbers) == 1 && strings.Contains(path, "/queuedResources/"):
		return resource(path, name, numbers[0])
	case len(numbers) == 2 && method == "getGuestAttributes":
		return a.guestAttributes(numbers[0], numbers[1])
	case len(numbers) == 2 && method == "":
		return a.node(path, numbers[0], numbers[1])
	}
	return nil
}

func resource(path, name string, workers int) object {
	var specs []object
	for i := 0; i*workersOfSlice < workers; i++ {
		specs = append(specs, object{"nodeId": fmt.Sprintf("%s-%d", name, i), "node": object{"acceleratorType": "v4-512"}})
	}
	return object{"name": path, "tpu": object{"nodeSpec": specs}, "state": object{"state": "ACTIVE"}}
}

// The numbers of the workers of slice `slice`.
func workersIn(workers, slice int) []int {
	var numbers []int
	for n := slice * workersOfSlice; n < workers && n < (slice+1)*workersOfSlice; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// No .0 and no .255, which some clients take for something else.
func address(worker int) string { return fmt.Sprintf("127.1.%d.%d", worker/250, worker%250+1) }

func (a *api) node(path string, workers, slice int) object {
	var endpoints []object
	for _, n := range workersIn(workers, slice) {
		endpoints = append(endpoints, object{"ipAddress": address(n), "port": 8470})
	}
	return object{"name": path, "id": fmt.Sprint(slice + 1), "state": "READY", "health": "HEALTHY",
		"acceleratorType": "v4-512", "networkEndpoints": endpoints, "metadata": object{"ssh-keys": a.metadata}}
}

func (a *api) guestAttributes(workers, slice int) object {
	item := object{"namespace": "hostkeys", "key": a.hostKey.Type(),
		"value": base64.StdEncoding.EncodeToString(a.hostKey.Marshal())}
	var all []object
	for range workersIn(workers, slice) {
		all = append(all, object{"queryPath": "", "queryValue": object{"items": []object{item}}})
	}
	return object{"guestAttributes": all}
}
