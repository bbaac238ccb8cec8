#include "cli/create_request.h"

#include "cli/ssh_key.h"
#include "slipway/core/file.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

/// The flag that asks for what only v2alpha1 has.
std::string flag_of(const std::string& field) {
  if (field == "bestEffort") return "--best-effort";
  if (field == "provisioningModel") return "--provisioning-model";
  if (field == "runDuration") return "--max-run-duration";
  if (field == "workloadType") return "--workload-type";
  if (field == "autocheckpointEnabled") return "--autocheckpoint-enabled";
  if (field == "bootDiskConfig") return "--boot-disk";
  return "--type";
}

Result<void> check_version(const CreateSpec& spec, std::optional<tpu::ApiVersion> version) {
  const std::vector<std::string> fields = tpu::alpha_only_fields(spec);
  if (version != tpu::ApiVersion::kV2 || fields.empty()) return {};
  return Error(ErrorCode::kUsage,
               fmt::format("--api-version v2 does not have what {} asks for", flag_of(fields.front())))
      .why(fmt::format("only v2alpha1 has {}", fmt::join(fields, ", ")))
      .next("leave --api-version out: the version is chosen by the fields");
}

/// The key that `run` will use is put into the nodes at once, where there is one, so that no node has to be
/// changed later. One that was named must be usable; the default is taken if it is. Its public half is
/// enough.
Result<void> add_ssh_key(CreateSpec& spec, const ShapeOptions& options) {
  if (spec.metadata.count("ssh-keys") > 0) return {};
  const std::string path = ssh_key_path(options.ssh_key);
  std::string public_line;
  if (const auto half = ssh::public_half(path)) public_line = ssh::public_line(*half);
  if (public_line.empty()) {
    if (options.ssh_key.empty() && !file_exists(path)) return {};
    Result<ssh::Identity> identity = ssh::Identity::load(path);
    if (!identity.ok() && options.ssh_key.empty()) return {};
    if (!identity.ok()) return std::move(identity).error();
    public_line = identity->public_line();
  }
  TRY(const std::string user, ssh_user(options.user));
  spec.metadata["ssh-keys"] = metadata_key_line(user, public_line);
  return {};
}

Result<tpu::CreateBody> read_body(const CreateOptions& options, const Location& location,
                                  std::optional<tpu::ApiVersion> version) {
  if (const std::string flag = first_shape_flag(options); !flag.empty()) {
    return Error(ErrorCode::kUsage, fmt::format("--from-file and {} exclude each other", flag))
        .why("the file is the whole request");
  }
  TRY(const std::string text, read_file(options.from_file, std::size_t{4} << 20));
  Result<tpu::CreateBody> body = tpu::read_create_body(text, location, version);
  if (!body.ok()) return std::move(body).error().within(fmt::format("'{}'", options.from_file));
  return body;
}

}  // namespace

Result<CreateRequest> CreateRequest::from(const CreateOptions& options, const Location& location,
                                          std::optional<tpu::ApiVersion> version,
                                          std::chrono::system_clock::time_point now) {
  CreateRequest request;
  request.location_ = location;
  request.version_ = version;
  if (!options.from_file.empty()) {
    TRY(request.file_, read_body(options, location, version));
    return request;
  }
  TRY(CreateSpec spec, create_spec(options, now));
  TRY(check_version(spec, version));
  TRY(add_ssh_key(spec, options));
  if (options.runtime_version.empty())
    request.note_ = fmt::format("runtime version {} (chosen by the accelerator)", spec.runtime_version);
  request.spec_ = std::move(spec);
  return request;
}

Result<void> CreateRequest::add_metadata(const std::string& key, const std::string& value) {
  if (!spec_ || spec_->metadata.emplace(key, value).second) return {};
  return Error(ErrorCode::kUsage, fmt::format("the metadata key '{}' is the job's own", key));
}

tpu::CreateBody CreateRequest::body(std::chrono::system_clock::time_point as_of) const {
  if (!spec_) return file_;
  CreateSpec spec = *spec_;
  spec.as_of = as_of;
  return tpu::create_body(location_, spec, version_);
}

std::string CreateRequest::content() const {
  const tpu::CreateBody at_no_time = body({});
  return to_string(at_no_time.version) + '\n' + at_no_time.json;
}

std::string CreateRequest::text() const {
  if (!spec_) return "as the file says";
  const std::string shape =
      spec_->type.empty() ? spec_->accelerator_type : fmt::format("{} {}", spec_->type, spec_->topology);
  return spec_->node_count > 0 ? fmt::format("{} slices of {}", spec_->node_count, shape)
                               : fmt::format("one slice of {}", shape);
}

}  // namespace slipway::cli
