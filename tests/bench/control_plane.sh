#!/usr/bin/env bash
# What list, describe and --version cost with 1,000 queued resources on five pages, beside gcloud where it is installed.
# Needs curl. Started by scripts/bench, which names the built programs: control_plane.sh SLIPWAY SLIPWAY_BENCH_API.
set -euo pipefail

readonly slipway=$1 bench=$2
work=$(mktemp -d)
export HOME=$work/home XDG_STATE_HOME=$work/state SLIPWAY_EMULATOR_STATE=$work/emulator
mkdir -p "$HOME"
finish() {
  "$slipway" emulator stop -q >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

exports=$("$slipway" emulator start --detach --capacity 1)
eval "$exports"
readonly location=projects/$CLOUDSDK_CORE_PROJECT/locations/$CLOUDSDK_COMPUTE_ZONE requests=1000

# There is no capacity for any of them, so that no worker starts. curl sends all through one connection.
cat >"$work/body" <<END
{"tpu": {"nodeSpec": [{"parent": "$location", "multisliceParams": {"nodeCount": 2},
  "node": {"acceleratorType": "v4-16", "runtimeVersion": "tpu-ubuntu2204-base"}}]}}
END
token=$(<"$CLOUDSDK_AUTH_ACCESS_TOKEN_FILE")
for ((i = 0; i < requests; i++)); do
  [ "$i" = 0 ] || echo next
  printf 'url = "%sv2/%s/queuedResources?queuedResourceId=bench-%04d"\n' \
    "$CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU" "$location" "$i"
  printf 'header = "%s"\n' 'Content-Type: application/json' "Authorization: Bearer $token"
  printf 'data = "@%s"\noutput = "/dev/null"\nfail\nsilent\nshow-error\n' "$work/body"
done >"$work/requests"
curl -K "$work/requests"

gcloud=()
! command -v gcloud >/dev/null || gcloud=(--gcloud gcloud)
"$bench" --slipway "$slipway" --resource bench-0500 --requests "$requests" "${gcloud[@]}"
