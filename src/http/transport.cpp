#include "slipway/http/transport.h"

namespace slipway::http {

std::string Response::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? std::string() : found->second;
}

Result<Response> Transport::send(const Request& request) {
  return std::move(exchange({request}).front().response);
}

std::vector<Result<Response>> Transport::send_all(const std::vector<Request>& requests) {
  std::vector<Result<Response>> responses;
  responses.reserve(requests.size());
  for (Answer& answer : exchange(requests)) responses.push_back(std::move(answer.response));
  return responses;
}

}  // namespace slipway::http
