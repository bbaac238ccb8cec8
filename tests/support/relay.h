#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "slipway/core/fd.h"

namespace slipway::test {

/// A bad network in front of a server: a TCP relay on loopback that misbehaves at a byte that the test
/// chooses. It runs in a thread of its own until it goes out of scope.
class Relay {
 public:
  enum class Fault {
    kNone,
    kCut,    ///< both ends are closed, as by a server that ends
    kReset,  ///< both ends are reset
    kStall,  ///< nothing is carried any more in either direction, and nobody is told
    kDrip,   ///< from then on a byte at a time
  };
  enum class Direction { kToClient, kToServer };
  struct Plan {
    Fault fault = Fault::kNone;
    Direction counted = Direction::kToClient;
    std::size_t after = 0;  ///< bytes in that direction
    std::string greeting;   ///< sent to the client before anything of the server's
  };
  /// Each plan gets a port of its own, in the order of `plans`; every connection to it follows that plan.
  Relay(std::string server_address, int server_port, std::vector<Plan> plans);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  static std::string address() { return "127.9.8.4"; }
  int port(std::size_t plan) const { return doors_[plan].port; }

 private:
  struct Door {
    Plan plan;
    Fd fd;
    int port = 0;
  };
  struct Pipe {
    std::size_t carried = 0;
    std::string waiting;
    bool ended = false;
  };
  struct Connection {
    const Plan* plan = nullptr;
    Fd client;
    Fd server;
    Pipe to_client;
    Pipe to_server;
    bool failed = false;
    bool over = false;
  };

  void serve();
  void open_door(Door& door);
  void accept(const Door& door);
  void carry(Connection& connection);
  bool move(Connection& connection, Direction direction);
  void misbehave(Connection& connection);
  void wait();

  std::string server_address_;
  int server_port_;
  std::vector<Door> doors_;
  std::list<Connection> connections_;
  Fd stop_read_;
  Fd stop_write_;
  std::thread thread_;
};

}  // namespace slipway::test
