#!/usr/bin/env bash
# The real `gcloud storage`, unchanged, against an emulator that runs: its exports have to be in the environment. Everything that gcloud
# writes goes to a temporary folder. Prints one line a step; ends with the first that fails.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work CLOUDSDK_CONFIG=$work/gcloud CLOUDSDK_CORE_DISABLE_PROMPTS=1
export CLOUDSDK_CORE_DISABLE_USAGE_REPORTING=1 CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK=1
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
run() { # gcloud storage, quiet unless it fails
  gcloud storage "$@" >out 2>err || { cat out err >&2; fail "gcloud storage $*"; }
}
bucket=gs://emulator-bucket

mkdir -p folder/inner
echo hello >'a file'
printf 'line\r\n\n--\n' >folder/one
: >folder/inner/empty
head -c 12000000 /dev/urandom >large # over gcloud's 8 MiB, so it goes as a resumable upload

run cp 'a file' "$bucket/in/a file"
run cat "$bucket/in/a file"
[ "$(cat out)" = hello ] || fail "cat gave $(cat out)"
echo "ok cp and cat"

run cp large "$bucket/large"
run cp "$bucket/large" back
cmp large back || fail "the large file came back changed"
echo "ok resumable upload"

run cp -r folder "$bucket/tree"
run cp -r "$bucket/tree" .
diff -r folder tree || fail "the folder came back changed"
echo "ok folders"

run ls "$bucket/"
printf '%s\n' "$bucket/large" "$bucket/in/" "$bucket/tree/" | sort >want
sort out | cmp - want || fail "ls gave $(cat out)"
run ls -r "$bucket/**"
[ "$(wc -l <out)" = 4 ] || fail "ls -r gave $(cat out)"
echo "ok ls"

if gcloud storage cp --if-generation-match=0 large "$bucket/large" >out 2>&1; then fail "an object was replaced against its precondition"; fi
grep -q 412 out || fail "no 412 in $(cat out)"
run mv "$bucket/large" "$bucket/moved"
run rm -r "$bucket/tree"
run rm "$bucket/moved"
run ls "$bucket/**"
[ "$(cat out)" = "$bucket/in/a file" ] || fail "left: $(cat out)"
echo "ok rm"
