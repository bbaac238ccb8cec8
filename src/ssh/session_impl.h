#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipway/ssh/session.h"
#include "ssh/channel.h"
#include "ssh/connection.h"

namespace slipway::ssh {

/// "ssh-ed25519 SHA256:...".
std::string described(const HostKey& key);

/// The phases of a session, one function each (session.cpp to kHeld and kExec, session_run.cpp from there
/// on).
class Session::Impl {
 public:
  Impl(std::unique_ptr<Socket> socket, SessionOptions options, OutputSink sink);

  std::variant<Want, Done, Failed> advance(Clock::time_point now);
  void release(std::shared_ptr<const std::string> exec_line, std::string input,
               std::string_view shared_input);
  void send_input(std::string_view bytes);
  Phase phase() const { return phase_; }
  bool started() const { return started_; }
  int fd() { return connection_.socket().fd(); }

 private:
  using Answer = std::variant<Want, Done, Failed>;
  /// What a phase answers: nothing when the next one can begin.
  using Step = std::optional<Answer>;

  Step step();
  Step begin();
  Step connect();
  Step handshake();
  Step check_host_key();
  Step authenticate();
  Step open();
  Step hold();
  Step exec();
  Step run();
  Step close();

  void enter(Phase phase, std::optional<std::chrono::milliseconds> limit);
  /// After EAGAIN: what to wait for, unless the connection ended or the phase's time is over.
  Step wait();
  Step wait_for_command();
  Step check_silence();
  void check_answer();
  bool is_openssh();
  /// Takes up to turn_budget of output; kDone at the end of both streams.
  Progress read_output();
  Answer conclude(const std::string& otherwise);

  // session_end.cpp
  Failed fail(Failed::Kind kind, std::string reason) const;
  Failed cannot_connect(int error);
  Failed timed_out() const;
  Failed connection_ended() const;
  Failed negotiation_failed() const;
  Failed host_key_differs(const HostKey& shown) const;
  Failed login_failed(int rc) const;

  static int on_sign(LIBSSH2_SESSION*, unsigned char** signature, std::size_t* signature_size,
                     const unsigned char* data, std::size_t size, void** self);
  bool set_algorithms();

  SessionOptions options_;
  OutputSink sink_;
  Connection connection_;
  Channel channel_;

  Phase phase_ = Phase::kConnect;
  bool begun_ = false;
  bool started_ = false;
  bool output_ended_ = false;
  bool more_output_ = false;
  std::size_t heard_before_reading_ = 0;  ///< received_in_turn() when both streams were last found empty
  Clock::time_point now_{};
  std::optional<Clock::time_point> deadline_;
  bool released_ = false;
  std::shared_ptr<const std::string> exec_line_;  ///< until it is sent
  std::string sign_problem_;

  /// Proof of life while the command runs: see PhaseLimits::silence.
  struct Pulse {
    std::optional<Clock::time_point> asked;  ///< a request is on its way since then
    bool answers = false;                    ///< this server answers: it is OpenSSH, or it has done so before
    Clock::time_point last_turn{};
  } pulse_;
};

}  // namespace slipway::ssh
