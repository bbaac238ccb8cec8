#!/usr/bin/env bash
# The real gcloud, unchanged, against an emulator that runs: its exports have to be in the environment. Everything that gcloud and ssh
# write goes to a temporary folder. Prints one line a step; ends with the first that fails.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work CLOUDSDK_CONFIG=$work/gcloud CLOUDSDK_CORE_DISABLE_PROMPTS=1
export CLOUDSDK_CORE_DISABLE_USAGE_REPORTING=1 CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK=1
unset SSH_AUTH_SOCK

# gcloud knows no port but 22, so the ssh configuration has to name ours. ssh looks for it in the home that passwd names, whatever
# $HOME says: a wrapper in front of the PATH points it here. A user would have this block in the real ~/.ssh/config.
mkdir -p "$work/.ssh" "$work/bin"
printf 'Host 127.*\n  Port %s\n' "$SLIPWAY_SSH_PORT" >"$work/.ssh/config"
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$work/.ssh/config" >"$work/bin/ssh"
chmod +x "$work/bin/ssh"
export PATH=$work/bin:$PATH

queued() { gcloud compute tpus queued-resources "$@"; }
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
wait_for() {
  for _ in $(seq 60); do
    [ "$(queued describe "$1" --format='value(state.state)')" = "$2" ] && return
  done
  fail "$1 is not $2"
}
expect_lines() { # file, count, pattern
  [ "$(grep -cE "$3" "$1")" = "$2" ] || { cat "$1" >&2; fail "expected $2 lines of '$3'"; }
}

queued create demo --node-count=2 --node-prefix=slice --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base 2>"$work/err" ||
  { cat "$work/err" >&2; fail create; }
echo "ok create"
wait_for demo ACTIVE
echo "ok describe"

queued list >"$work/out"
expect_lines "$work/out" 1 '^demo +us-central2-b +2 +v4-16 .*ACTIVE'
echo "ok list"
gcloud compute tpus tpu-vm list --format='value(name,state)' >"$work/out"
expect_lines "$work/out" 2 'READY'
echo "ok tpu-vm list"

# A key pair of its own first: several slices at once would race to make it (a defect of gcloud's).
ssh-keygen -q -t rsa -N '' -f "$work/.ssh/google_compute_engine"
# shellcheck disable=SC2016  # for the workers to expand
queued ssh tester@demo --node=all --worker=all --command='echo "on $(hostname) as $(whoami)"' >"$work/out" 2>"$work/err" ||
  { cat "$work/out" "$work/err" >&2; fail ssh; }
expect_lines "$work/out" 4 '^on t1v-n-.* as tester$'
[ "$(sort -u "$work/out" | wc -l)" = 4 ] || fail "the workers' names are not four"
echo "ok ssh on every worker"

code=0
queued ssh tester@demo --node=1 --worker=1 --command='exit 7' >"$work/out" 2>&1 || code=$?
[ "$code" = 7 ] || { cat "$work/out" >&2; fail "ssh answered $code for exit 7"; }
echo "ok ssh exit code"

queued reset demo >"$work/out" 2>&1 || { cat "$work/out" >&2; fail reset; }
wait_for demo ACTIVE
queued ssh tester@demo --node=0 --worker=0 --command='echo back' >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "ssh after reset"; }
expect_lines "$work/out" 1 '^back$'
echo "ok reset"

queued delete demo >"$work/out" 2>&1 && fail "an ACTIVE resource was deleted without --force"
expect_lines "$work/out" 1 'FAILED_PRECONDITION'
queued delete demo --force 2>"$work/err" || { cat "$work/err" >&2; fail delete; }
[ -z "$(queued list --format='value(name)' 2>/dev/null)" ] || fail "it is still listed"
echo "ok delete"

gcloud compute tpus tpu-vm versions list --format='value(version)' >"$work/out"
expect_lines "$work/out" 1 '^tpu-ubuntu2204-base$'
gcloud alpha compute tpus queued-resources create spot --node-id=one --accelerator-type=v5litepod-8 --best-effort \
  --runtime-version=v2-alpha-tpuv5-lite 2>"$work/err" || { cat "$work/err" >&2; fail "alpha create"; }
gcloud alpha compute tpus queued-resources delete spot --force 2>"$work/err" || { cat "$work/err" >&2; fail "alpha delete"; }
echo "ok alpha"

# One create for each group of flags, as the captures have them; all are answered when they are queued, and none has to run.
made() { # name, track.., -- flags
  local name=$1
  shift
  gcloud "$@" --quiet --async 2>"$work/err" || { cat "$work/err" >&2; fail "create $name"; }
  [ "$(queued describe "$name" --format='value(name)')" ] || fail "$name is not there"
}
shape=(--accelerator-type=v5litepod-16 --runtime-version=v2-alpha-tpuv5-lite)
ga=(compute tpus queued-resources create)
alpha=(alpha compute tpus queued-resources create)
echo 'echo hi' >"$work/boot.sh"
made all "${ga[@]}" all --node-id=all "${shape[@]}" --network=net-a --subnetwork=sub-a --internal-ips --tags=t1,t2 --labels=team=ml \
  --service-account=sa@p.iam.gserviceaccount.com --scopes=storage-rw --metadata=k1=v1 --metadata-from-file=startup-script="$work/boot.sh" \
  --description=hello --range=10.0.0.0/29 --shielded-secure-boot --data-disk=source=projects/p/zones/z/disks/d1,mode=read-only
made times "${ga[@]}" times --node-count=2 "${shape[@]}" --valid-after-duration=1h --valid-until-duration=2h
made kept "${ga[@]}" kept --node-id=kept "${shape[@]}" --reserved --zone=us-central2-b
made flex "${alpha[@]}" flex --node-id=flex "${shape[@]}" --provisioning-model=flex-start --max-run-duration=4h
made serving "${alpha[@]}" serving --node-count=2 "${shape[@]}" --workload-type=availability-optimized --autocheckpoint-enabled
made boot "${alpha[@]}" boot --node-id=boot "${shape[@]}" --boot-disk=confidential-compute=true,kms-key=projects/p/key
made topology "${alpha[@]}" topology --node-id=topology --type=v5p --topology=4x4x8 --runtime-version=v2-alpha-tpuv5
for name in all times kept flex serving boot topology; do queued delete $name --force --async 2>/dev/null || fail "delete $name"; done
echo "ok flags"
