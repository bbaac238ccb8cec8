#include <memory>

#include "cli/commands/commands.h"
#include "cli/exit_code.h"
#include "slipway/core/format.h"
#include "slipway/core/text.h"

namespace slipway::cli {
namespace {

constexpr const char* kExitCodes = R"(0    done, and seen to be done
1    failed in a way no other row names
2    the command line or the settings are wrong; nothing was contacted
3    every worker was reached; the command failed on at least one
4    not signed in, not allowed, ssh refused the key, or a host key does not match
5    no such resource
6    conflict: it exists with another spec, or is in the wrong state for this
7    what wait waits for can no longer come (FAILED, SUSPENDED, deleted)
8    the API or a worker could not be reached, or a worker was lost without a status
9    quota or capacity refused
10   this machine: disk full, out of descriptors, output cannot be written
124  --timeout passed
128+n  ended by signal n
Of several: 4, then 10, 8, 124, 3.
)";

constexpr const char* kSelection =
    R"(A command on workers takes, as QR:
  train-1       the slices of a queued resource
  node:my-tpu   one node, made without a queued resource or not
  prefix:my-tpu all nodes that are named my-tpu-<number>, in the order of the numbers
--node names slices, --worker names workers of each slice; both default to all.
  all        every one
  0          the first
  1,4-6      a list with ranges
  train-1-2  a slice by its name
  !3         all but 3
--require all|any|N|N% says how many of the selected must be ready before anything starts, and must end ok for exit code 0.
)";

constexpr const char* kFormats = R"(--format table   for people; wide: more columns (list)
--format json    the API's own field names, nothing dropped; a list is an array
--format jsonl   one object a line
--format yaml    the same as YAML; every item of a list begins with ---
--format csv     RFC 4180 with a line of headings
--format value   tab-separated, no headings: for cut, read and xargs
--format none    nothing
--fields A,B.C   these fields only; gcloud's one word means the same: --format='value(name,state.state)',
                 json(..), csv(..), csv[no-heading](..), table(..), get(..): value without the columns' short forms
workers has ssh-config, ansible and hosts as well (slipway workers --help).

A field is a path: state.state, tpu.nodeSpec[].nodeId (all slices), tpu.nodeSpec[0].nodeId, labels."a.b"; a list
without [] stands for all its items. Behind it there may be basename(), segment(N), len(), and :label=NAME.
--sort-by A,~B   by these fields, ~ for descending; v4-8 comes before v4-16
--filter EXPR    gcloud's language: FIELD OPERATOR VALUE, joined by AND, OR, NOT (side by side: AND) and parentheses
  =  !=          equal, whatever the case            =(A B)  one of these
  :              contains; :A* begins with, :* is there at all, :(A B) one of these
  ~  !~          a regular expression that matches somewhere (ECMAScript's; (?i) before it: whatever the case)
  <  <=  >  >=   numbers and times as such: createTime<-P1D (older than a day), createTime>2026-11-20
  WORD           some field contains it
  -TERM          the same as NOT TERM
The headings of a list are names for it, too: STATE=ACTIVE, NODE_COUNT>1.
stdout is data; everything said to a person goes to stderr.
)";

constexpr const char* kEnv =
    R"(Every long flag is also SLIPWAY_<FLAG>: --batch-size is SLIPWAY_BATCH_SIZE. An empty variable says nothing. The order:
  flag, SLIPWAY_<FLAG>, the project's slipway.yaml, the user's slipway.yaml, gcloud's CLOUDSDK_* variables,
  gcloud's active configuration, default.
--attempt, --checkpoint-dir and --worker have no variable: SLIPWAY_ATTEMPT, _CHECKPOINT_DIR and _WORKER tell a command on a
worker where it runs (slipway run --rank-env, slipway launch), and a slipway inside it must not take them for wishes.
A flag that excludes another keeps out what a lower layer says for it: --reserved keeps out `spot: true` of a file.
`slipway config explain` shows each setting and which of these says it.
Read from gcloud: core/project, compute/zone, auth/access_token_file, api_endpoint_overrides/tpu.
)";

constexpr const char* kConfig =
    R"(Settings are read from slipway.yaml in this folder, or in the nearest one above that has it (the project's), and then from
$XDG_CONFIG_HOME/slipway/slipway.yaml, else ~/.config/slipway/slipway.yaml (the user's). --config FILE reads that file only.

A key is a flag's name and holds for every command that has the flag; below a command's name it holds for that command:

  project: my-project
  zone: us-central2-b
  labels: {team: vision}          # a map, a list or a word, as the flag takes
  run:
    batch-size: 512
    env: {JAX_PLATFORMS: tpu}

A key that is no flag is refused with its line.

A project's file may have come with somebody's repository. It cannot set what sends or writes files from elsewhere, changes
who we are, where tokens go, what is trusted or runs on this machine, or takes away a question or a guard:
  access-token-file, account, allow-host, body, ca-file, endpoint, env-file, events, file, force, from-file, host-keys, iap-url,
  impersonate-service-account, jump, junit, log-file, metadata-from-file, output-dir, over-job, proxy-command, recreate, replace,
  ssh-agent, ssh-key, ssh-key-passphrase-file, state-dir, stdin, yes
Its startup-script, script and code are paths from its own folder, to files inside that are not hidden (code: gs://.. too).

What a command would take, and which file says it: slipway config explain --help
)";

constexpr const char* kAuth = R"(The first of these gives the access token:
  1. --access-token-file FILE: the token itself, which something else keeps fresh
  2. CLOUDSDK_AUTH_ACCESS_TOKEN, then gcloud's auth/access_token_file
  3. gcloud's auth/credential_file_override: credentials in a file
  4. GOOGLE_APPLICATION_CREDENTIALS: credentials in a file
  5. gcloud's login (gcloud auth login): that of --account, else of core/account
  6. gcloud auth application-default login
  7. the metadata server: on a Google Cloud VM, or where GCE_METADATA_HOST says
Files may hold authorized_user, service_account, external_account (its proof from a file, a URL, or a program if
GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1), external_account_authorized_user or impersonated_service_account. Not supported:
AWS and certificates as proof, gdch, client certificates (mTLS), universes other than googleapis.com.
  --impersonate-service-account A,B,TARGET (else auth/impersonate_service_account) acts as TARGET, by way of A and B.
  --billing-project, GOOGLE_CLOUD_QUOTA_PROJECT, the file, billing/quota_project: the project that calls count against.
  auth/service_account_use_self_signed_jwt=true spares a service account the exchange; auth/disable_credentials=true
  sends no token.
Tokens and secrets go to googleapis.com, to loopback, and to hosts named by --allow-host or --endpoint: nowhere else, not
through a redirect, never without TLS beyond this machine. -v says whose token is used. CLOUDSDK_CONFIG and
CLOUDSDK_ACTIVE_CONFIG_NAME choose gcloud's configuration as they do for gcloud; its databases are only read.
On the way: --ca-file (else core/custom_ca_certs_file) names the certificates to trust; gcloud's proxy/* and
core/http_timeout, else HTTPS_PROXY and NO_PROXY, are followed; core/request_reason is sent along.
Workers: --ssh-key (default ~/.ssh/google_compute_engine) logs in; each worker must show the host key that it published
through the API, else nothing is sent to it.
)";

struct Topic {
  const char* name;
  const char* text;
};
constexpr Topic kTopics[] = {{"exit-codes", kExitCodes}, {"env", kEnv},
                             {"config", kConfig},        {"formats", kFormats},
                             {"selection", kSelection},  {"auth", kAuth}};

Result<int> run_help(const std::string& name, Services& services) {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) {
    if (name == topic.name) {
      services.streams.out->write(topic.text);
      return kOk;
    }
    names.emplace_back(topic.name);
  }
  const std::string near = nearest(name, names);
  Error error(ErrorCode::kUsage,
              name.empty() ? "say on what" : fmt::format("there is no help on '{}'", printable(name)));
  return std::move(error)
      .why(near.empty() ? fmt::format("there is help on {}", fmt::join(names, ", "))
                        : fmt::format("did you mean '{}'?", near))
      .next("slipway --help");
}

}  // namespace

void add_help(CommandLine& line) {
  for (const Topic& topic : kTopics) line.has_help_on(topic.name);
  auto word = std::make_shared<std::string>();  // filled by the parser, read by the action after it
  line.add("help", "explain exit-codes, env, config, formats, selection or auth",
           "Examples:\n  slipway help exit-codes\n  slipway help auth",
           [word](Services& services, const GlobalOptions&) { return run_help(*word, services); })
      .word("TOPIC", *word, "exit-codes, env, config, formats, selection, auth");
}

}  // namespace slipway::cli
