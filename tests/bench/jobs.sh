#!/usr/bin/env bash
# What a job loses by one preemption, and how long its workers take from a boot to the command: jobs.sh SLIPWAY RUNS, started by
# scripts/bench. A boot is the moment when the emulator starts a worker's machine: its time is that of the file run/boot.
set -euo pipefail

readonly slipway=$1 runs=$2
work=$(mktemp -d)
shared=$(mktemp -d -p /var/tmp slipway-bench.XXXXXX) # /tmp is each worker's own
export HOME=$work/home XDG_STATE_HOME=$work/state SLIPWAY_EMULATOR_STATE=$work/emulator
mkdir -p "$HOME"
unset CLOUDSDK_CONFIG CLOUDSDK_CORE_PROJECT CLOUDSDK_COMPUTE_ZONE
finish() {
  "$slipway" emulator stop -q >/dev/null 2>&1 || true
  rm -rf "$work" "$shared"
}
trap finish EXIT
trap 'exit 130' INT TERM
exports=$("$slipway" emulator start --detach --provision-delay 400ms)
eval "$exports"

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
boots() { stat -c %.Y "$work"/emulator/workers/*/run/boot | sort -n; }
until_line() { # FILE PATTERN
  for ((i = 0; i < 1200; i++)); do
    ! grep -qs "$2" "$1" || return 0
    sleep 0.1
  done
  echo "bench: '$2' did not come" >&2
  return 1
}

# Seconds from the last boot after a repair to the first step of the next attempt; the steps that were done again come apart.
preemption() {
  local steps=$shared/steps.$1 again
  "$slipway" launch "lose-$1" --node-count 4 --accelerator-type v4-16 --runtime-version tpu-ubuntu2204-base -q \
    --bucket gs://emulator-bucket/runs --code examples/toy-trainer --command 'exec python3 train.py' --grace 5s \
    --checkpoint-dir "gs://emulator-bucket/ckpt-$1" --env STEPS=1000000 --env STEP_TIME=0.02 --env SAVE_EVERY=50 --env "STEP_LOG=$steps"
  until_line "$steps" '^1 120 '
  "$slipway" emulator preempt "lose-$1" --node 2 --repair-after 1s -q
  # All have to be in one attempt for a while: a repair resets the others after its own boot.
  until_line "$steps" '^[2-9] .*[05]0 '
  again=$(awk '$2 <= last { again++ } $2 > last { last = $2 } END { print again + 0 }' "$steps")
  awk -v boot="$(boots | tail -n 1)" -v again="$again" '$1 != 1 && $3 > boot { printf "%.2f %d\n", $3 - boot, again; exit }' "$steps"
  "$slipway" delete "lose-$1" --force --yes -q
}

# Seconds from the first boot of a reset to the moment when the command runs on the last of 64 workers.
restart() {
  local started=$work/emulator/workers i
  "$slipway" launch "boot-$1" --node-count 8 --accelerator-type v4-64 --runtime-version tpu-ubuntu2204-base -q \
    --bucket gs://emulator-bucket/runs --code examples/toy-trainer --command 'date +%s.%N >/root/started; exec sleep 10000'
  wait_for_64 "$started"
  rm -f "$started"/*/root/started
  "$slipway" reset "boot-$1" --yes -q
  wait_for_64 "$started"
  awk -v boot="$(boots | head -n 1)" '$1 > last { last = $1 } END { printf "%.2f\n", last - boot }' "$started"/*/root/started
  "$slipway" delete "boot-$1" --force --yes -q
}

wait_for_64() {
  local i
  for ((i = 0; i < 3000; i++)); do
    [ "$(find "$1" -path '*/root/started' -size +0 | wc -l)" != 64 ] || return 0
    sleep 0.1
  done
  echo 'bench: the 64 workers did not start' >&2
  return 1
}

for ((run = 1; run <= runs; run++)); do
  preemption "$run" >>"$work/lost"
  restart "$run" >>"$work/boot"
done
echo "one preemption, 8 workers: $(cut -d' ' -f1 "$work/lost" | median) s from the last boot to the next step" \
  "(of each run: $(cut -d' ' -f1 "$work/lost" | paste -sd' '))"
echo "  and $(cut -d' ' -f2 "$work/lost" | median) steps were done again, of 50 between two checkpoints"
echo "a reset, 64 workers, code there: $(median <"$work/boot") s from the first boot to the command on the last" \
  "(of each run: $(paste -sd' ' "$work/boot")): $(median <"$work/boot" | awk '{ printf "%.2f", $1 / 64 }') s a worker"
