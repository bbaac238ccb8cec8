# What every worker of a job does at every boot. Above this line stand only quoted assignments (JOB_...); no text of the user is
# ever pasted into this program. It needs bash, curl, coreutils and util-linux (flock, setsid, setpriv), and root.
#
# All state that matters is in the bucket, below $JOB_PREFIX/ctl:
#   attempt/N/ready/S-W/BOOT~INSTANCE~IP   this worker is set up and waits; its content has the phases' times
#   attempt/N/go                           made once: who takes part (by boot id), the coordinator, the step to resume from
#   attempt/N/end                          made once: why everybody stops
#   attempt/N/exit/S-W/BOOT~CODE~FLAGS     how this worker's command ended
#   attempt/N/verdict                      made once: done, preempted, failed, give-up or stopped, and what counts on
#   attempt/N/late, attempt/N/closed/S-W   who is waited for; whose log is in the bucket, at the end of the job
#   slot/S-W                               where this worker is; changes while it lives
#   stop, finished, release                the user's word; the end of the job; that the resource was released, or why not
# "Made once" is a write that fails when the object exists (ifGenerationMatch=0): whoever comes first decides, for all.
set -u -o pipefail
shopt -s extglob nullglob

readonly RUN=${SLIPWAY_RUN_FOLDER:-/run/slipway}/$JOB_NAME
readonly STATE=${SLIPWAY_STATE_FOLDER:-/root/.slipway}/$JOB_NAME
readonly METADATA=http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1
readonly CTL=$JOB_PREFIX/ctl

attempt=0 slice=0 worker=0 slices=$JOB_SLICES workers=1 slot=0-0 boot='' instance='' address='' zone=''
phases='' phase_began=${EPOCHREALTIME/[.,]/}
child='' told=0 termed=0 preempted=0 end_seen='' looks=0 launching='' ready_name=''

# --- words -------------------------------------------------------------------------------------------------------------------
# time: RFC 3339, without a process for it.
timestamp() { TZ=UTC printf '%(%FT%TZ)T' -1; }

# To stderr: the stdout of functions is what they answer.
say() { printf '%s slipway: job %s attempt %d slice %d worker %d: %s\n' "$(timestamp)" "$JOB_NAME" "$attempt" "$slice" "$worker" "$*" >&2; }

# die CODE TEXT: the supervisor itself cannot go on.
die() { say "$2" && exit "$1"; }

# because TEXT: 1, with $reason: why this worker cannot take part.
because() { reason=$1 && return 1; }

# field NAME: the value at "NAME=" of the lines on stdin.
field() { sed -n "s/^$1=//p" | head -n 1; }

# one_line LIMIT: stdin's last line that says something, printable, at most LIMIT bytes.
one_line() { tr -cd '\n\t\040-\176' | grep -v '^[[:space:]]*$' | tail -n 1 | head -c "$1"; }

# phase NAME: how long the phase that ends here took, and where this worker is.
phase() {
  local now=${EPOCHREALTIME/[.,]/} tenths=$(((${EPOCHREALTIME/[.,]/} - phase_began) / 100000))
  phases+="$1=$((tenths / 10)).$((tenths % 10))s "
  phase_began=$now
}

# --- waiting -----------------------------------------------------------------------------------------------------------------
# nap SECONDS: a pause that a signal ends at once.
nap() {
  sleep "$1" 9>&- &
  wait $! 2>/dev/null
}

# finished PID: waits for a child through signals that we handle meanwhile; its status.
finished() {
  local status
  while :; do
    wait "$1"
    status=$?
    if [ $status -le 128 ] || ! kill -0 "$1" 2>/dev/null; then return $status; fi
  done
}

# jittered SECONDS [PARTS]: that long, or a part of it, give or take a quarter, in tenths.
jittered() {
  local tenths=$(($1 * (75 + RANDOM % 50) / 10 / ${2:-1}))
  printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# poll: how many seconds between two looks; grows with the job, so that the bucket sees at most some 200 looks a second.
poll() {
  local by_size=$((slices * workers / 200))
  echo $((JOB_POLL > by_size ? JOB_POLL : by_size))
}

# quick: the same for those who wait for each other, several times a second in a small job.
quick() { echo $((slices * workers < 32 ? 1 : $(poll) * 2)); }

# --- the metadata server -----------------------------------------------------------------------------------------------------
# metadata PATH: on stdout. In the background, as all that takes time: a signal to us is passed on while it runs.
metadata() {
  curl -sf --max-time 10 -H 'Metadata-Flavor: Google' "$METADATA/$1" 9>&- &
  finished $!
}

# metadata_until_there PATH: waits for the network and the server, five minutes at most.
metadata_until_there() {
  local deadline=$((SECONDS + 300)) pause=1
  until metadata "$1"; do
    [ $SECONDS -lt $deadline ] || return 1
    nap $pause
    pause=$((pause < 8 ? pause * 2 : 8))
  done
}

# authorize: a token in a file of root's, so that it never stands in an argv; fetched anew five minutes before its end.
authorize() {
  local answer seconds draft=$RUN/token.$BASHPID
  [ "$EPOCHSECONDS" -ge "$token_until" ] || return 0
  metadata 'instance/service-accounts/default/token' >"$draft" || return 1
  answer=$(<"$draft")
  seconds=$(sed -n 's/.*"expires_in" *: *\([0-9]*\).*/\1/p' <<<"$answer")
  sed -n 's/.*"access_token" *: *"\([^"]*\)".*/Authorization: Bearer \1/p' <<<"$answer" >"$draft" || return 1
  mv "$draft" "$RUN/token"
  token_until=$((EPOCHSECONDS + ${seconds:-600} - 300))
}
token_until=0

# --- the bucket --------------------------------------------------------------------------------------------------------------
# escaped TEXT: percent-encoded, slashes too.
escaped() {
  local LC_ALL=C text=$1 out='' i c
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in
      [A-Za-z0-9._~-]) out+=$c ;;
      *) printf -v c '%%%02X' "'$c" && out+=$c ;;
    esac
  done
  printf '%s' "$out"
}

# Whom storage() asks, and what it takes to be let in; for its sentences.
asked="gs://$JOB_BUCKET" role='roles/storage.objectUser on it'

# storage FILE CURL-ARGUMENT...: one request, tried again where that helps; the body goes to FILE. Answers with
# 0 done, 4 not there (404), 5 the precondition failed (412), 3 not allowed, 1 anything else.
storage() {
  local body=$1 status token pause=1 deadline=$((SECONDS + 180))
  shift
  while :; do
    token=$RUN/token
    authorize || token=/dev/null
    curl -s --connect-timeout 10 --max-time 120 -o "$body" -w '%{http_code}' -H "@$token" "$@" >"$body.status" 9>&- &
    finished $! && status=$(<"$body.status") || status=000
    rm -f "$body.status"
    case $status in
      2??) return 0 ;;
      404) return 4 ;;
      412) return 5 ;;
      401) token_until=0 ;;
      403) say "$asked refused us (403): the workers' service account needs $role" && return 3 ;;
      000 | 408 | 429 | 5??) ;;
      *) say "$asked answered $status: $(one_line 200 <"$body")" && return 1 ;;
    esac
    [ $SECONDS -lt $deadline ] || return 1
    nap "$(jittered $pause)"
    pause=$((pause < 16 ? pause * 2 : 16))
  done
}

# scratch: a new file's name for one answer.
scratch() { echo "$RUN/answer.$BASHPID.$RANDOM$RANDOM"; }

# ask CURL-ARGUMENT...: the same as storage(), and the body on stdout.
ask() {
  local file result=0
  file=$(scratch)
  storage "$file" "$@" || result=$?
  [ $result != 0 ] || cat "$file"
  rm -f "$file"
  return $result
}

# get NAME FILE [BUCKET]
get() {
  local asked="gs://${3:-$JOB_BUCKET}"
  storage "$2" "$JOB_STORAGE/storage/v1/b/${3:-$JOB_BUCKET}/o/$(escaped "$1")?alt=media"
}

# show NAME: the object on stdout; nothing when it is not there.
show() { ask "$JOB_STORAGE/storage/v1/b/$JOB_BUCKET/o/$(escaped "$1")?alt=media"; }

# put NAME FILE [once]: writes an object; with "once" only if it is not there yet (5 when it is).
put() {
  ask -X POST -H 'Content-Type: text/plain' --data-binary "@$2" \
    "$JOB_STORAGE/upload/storage/v1/b/$JOB_BUCKET/o?uploadType=media&name=$(escaped "$1")${3:+&ifGenerationMatch=0}" >/dev/null
}

# write NAME [once]: the same from stdin. Not at the end of a pipe, which would keep a signal waiting.
write() {
  local draft result=0
  draft=$(scratch)
  cat >"$draft"
  put "$1" "$draft" "${2:-}" || result=$?
  rm -f "$draft"
  return $result
}

remove() { ask -X DELETE "$JOB_STORAGE/storage/v1/b/$JOB_BUCKET/o/$(escaped "$1")" >/dev/null; }

next_page() { sed -n 's/.*"nextPageToken" *: *"\([^"]*\)".*/\1/p'; }

# list PREFIX [DELIMITER] [BUCKET]: the names below PREFIX (with a delimiter, the folders too), one a line, without PREFIX.
list() {
  local prefix=$1 query file page='' result=0 bucket=${3:-$JOB_BUCKET} asked="gs://${3:-$JOB_BUCKET}"
  query="prefix=$(escaped "$prefix")&fields=nextPageToken,prefixes,items(name)"
  [ -n "${2:-}" ] && query+="&delimiter=$(escaped "$2")"
  file=$(scratch)
  while :; do
    storage "$file" --globoff "$JOB_STORAGE/storage/v1/b/$bucket/o?$query${page:+&pageToken=$(escaped "$page")}" || result=$?
    [ $result = 0 ] || break
    # Every name that we look for is made of letters that JSON writes as they are.
    tr -d '\n' <"$file" | grep -o '"[^"]*"' | tr -d '"' | while IFS= read -r word; do
      case $word in "$prefix"?*) printf '%s\n' "${word#"$prefix"}" ;; esac
    done
    page=$(next_page <"$file")
    [ -n "$page" ] || break
  done
  rm -f "$file"
  return $result
}

# --- checkpoints -------------------------------------------------------------------------------------------------------------
# names_below FOLDER: what is in a checkpoint folder, gs:// or a path that all workers see; folders end in a slash.
names_below() {
  local folder=${1%/}/ rest entry
  case $folder in
    gs://*) rest=${folder#gs://} && list "${rest#*/}" / "${rest%%/*}" ;;
    *)
      [ ! -e "$folder" ] || ls "$folder" >/dev/null 2>&1 || return 1
      for entry in "$folder"*; do
        if [ -d "$entry" ]; then echo "${entry##*/}/"; else echo "${entry##*/}"; fi
      done
      ;;
  esac
}

# committed FOLDER NAME: Orbax commits a step by renaming its folder where renaming is one act; on an object store, which has no
# such act, by the object commit_success.txt in it. A file with a step in its name is complete when it is there. 2: nobody can see.
committed() {
  case $JOB_CHECKPOINT_RULE:$1/$2 in
    */*.orbax-checkpoint-tmp* | *.tmp | *.tmp/ | *.partial) return 1 ;;
    orbax:gs://*/)
      names_below "${1%/}/$2" >"$RUN/parts.$BASHPID" || return 2
      grep -qx 'commit_success.txt' "$RUN/parts.$BASHPID"
      ;;
  esac
}

# newest_step: the newest committed step below the checkpoint folder; -1 for none. A folder that cannot be read is not an empty
# one: 3 when it is not allowed, 1 for anything else, with nothing on stdout.
newest_step() {
  local name step result=0 best=-1 names=$RUN/names.$BASHPID
  if [ -n "$JOB_CHECKPOINT_DIR" ]; then
    names_below "$JOB_CHECKPOINT_DIR" >"$names" || result=$?
    case $result in 0 | 4) ;; *) return $result ;; esac
    # The highest number first: the first that is committed is the answer.
    while read -r step name; do
      result=0
      committed "$JOB_CHECKPOINT_DIR" "$name" || result=$?
      [ $result -lt 2 ] || return 1
      [ $result = 1 ] || { best=$step && break; }
    done < <(sed -nE 's#^(([A-Za-z_]+[-_]?)?0*([0-9]+)([._-][^0-9/].*)?/?)$#\3 \1#p' "$names" | sort -k1,1nr)
  fi
  echo "$best"
}

# see_step: the same into $RUN/step, which is left as it was when nobody can see.
see_step() { newest_step >"$RUN/step.new" && mv "$RUN/step.new" "$RUN/step"; }

# --- once a boot -------------------------------------------------------------------------------------------------------------
alone_in_this_boot() {
  mkdir -p "$RUN" "$STATE" || die 1 "cannot make $RUN and $STATE"
  chmod 700 "$RUN" "$STATE"
  export -n TMPDIR && TMPDIR=$RUN # where bash keeps its here-strings: a full disk must not silence us
  exec 9>"$RUN/lock"
  flock -n 9 || die 0 'is running already in this boot'
  rm -f "$RUN"/{answer,names,parts,token,environment}.*
  # Who was here before us in this boot was killed: its command would run beside ours.
  local group; group=$(cut -d' ' -f2 "$RUN/started" 2>/dev/null) && grep -qzx "SLIPWAY_JOB=$JOB_NAME" "/proc/$group/environ" 2>/dev/null && kill -KILL -- "-$group"
}

who_am_i() {
  local environment endpoints
  environment=$(metadata_until_there 'instance/attributes/tpu-env') || die 1 'the metadata server does not answer'
  env_value() { sed -n "s/^$1: *'\{0,1\}\([^']*\)'\{0,1\} *$/\1/p" <<<"$environment" | head -n 1; }
  slice=$(env_value MEGASCALE_SLICE_ID) worker=$(env_value WORKER_ID) zone=$(env_value ZONE)
  slice=${slice:-0} worker=${worker:-0} slot=${slice:-0}-${worker:-0}
  endpoints=$(metadata instance/attributes/worker-network-endpoints || env_value WORKER_NETWORK_ENDPOINTS)
  workers=$(tr ',' '\n' <<<"$endpoints" | grep -c .)
  boot=$(cat /proc/sys/kernel/random/boot_id)
  instance=$(metadata_until_there instance/id)
  address=$(metadata_until_there 'instance/network-interfaces/0/ip')
  [ "$workers" -gt 0 ] || workers=1
}

job_user_is_there() {
  id -u "$JOB_USER" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$JOB_USER" || return 1
  home=$(getent passwd "$JOB_USER" | cut -d: -f6)
  [ -d "$home" ]
}

# Downloads the code by its digest into a folder of that name; a folder that is there is whole, because it was renamed.
code_is_there() {
  local archive=$RUN/code.tar.gz draft
  code=$home
  [ -n "$JOB_CODE_SHA256" ] || return 0
  code=$home/.slipway/$JOB_NAME/code-${JOB_CODE_SHA256:0:16}
  [ -d "$code" ] && return 0
  nap "$((RANDOM % (1 + slices * workers / 16 > 30 ? 30 : 1 + slices * workers / 16)))"
  get "$JOB_CODE_OBJECT" "$archive" "$JOB_CODE_BUCKET" || because "the code gs://$JOB_CODE_BUCKET/$JOB_CODE_OBJECT cannot be read" || return 1
  [ "$(sha256sum <"$archive" | cut -d' ' -f1)" = "$JOB_CODE_SHA256" ] ||
    because "the code gs://$JOB_CODE_BUCKET/$JOB_CODE_OBJECT is not what was launched: its digest differs" || return 1
  draft=$code.new
  { rm -rf "$draft" && mkdir -p "$draft" && tar -xzf "$archive" --no-same-owner -C "$draft" && chown -R "$JOB_USER" "$home/.slipway" && sync -f "$draft" && mv "$draft" "$code"; } ||
    because "the code cannot be unpacked: $(df -h --output=avail "$home" | tail -n 1 | tr -d ' ') free" || return 1
  rm -f "$archive"
}

# Another package manager may be at work just after boot: ten minutes at most.
dpkg_is_free() {
  local lock=${SLIPWAY_DPKG_LOCK:-/var/lib/dpkg/lock-frontend} inode deadline=$((SECONDS + ${SLIPWAY_DPKG_LIMIT:-600}))
  [ -e "$lock" ] || return 0
  inode=$(stat -c %i "$lock")
  while grep -q ":$inode " /proc/locks; do
    [ $SECONDS -lt $deadline ] || because 'another package manager held its lock for too long' || return 1
    nap 2
  done
}

# setup_is_done: once for this set-up, this code and this machine image; as root, in the code's folder.
setup_is_done() {
  local stamp status looked=$SECONDS
  [ -n "$JOB_SETUP" ] || return 0
  stamp=$STATE/setup-$(printf '%s\0%s\0%s' "$JOB_SETUP" "$JOB_CODE_SHA256" "$JOB_RUNTIME" | sha256sum | cut -c 1-16)
  [ -e "$stamp" ] && return 0
  dpkg_is_free || return 1
  say 'sets up'
  launching=1
  (cd "$code" && become root /root bash -c "$JOB_SETUP") </dev/null >"$STATE/setup.log" 2>&1 &
  child=$! launching=''
  while kill -0 "$child" 2>/dev/null; do
    tick
    [ $told = 0 ] || stop_child
    [ $((SECONDS - looked)) -lt $(($(poll) * 2)) ] || { looked=$SECONDS && stop_asked && stop_child; }
  done
  wait "$child"
  status=$?
  child=''
  [ $told = 0 ] || exit 143
  [ $status = 0 ] || because "set-up ended with $status: $(one_line 200 <"$STATE/setup.log")" || return 1
  sync -f "$STATE" && touch "$stamp" # a reset must not find the stamp without what it stands for
}

# Processes that an earlier attempt left behind keep the chips: TERM, ten seconds, KILL; then libtpu's lock goes.
end_chip_holders() {
  local signal pids i
  for signal in TERM KILL; do
    pids=$(chip_holders)
    [ -n "$pids" ] || break
    say "ends what holds the chips: $(tr '\n' ' ' <<<"$pids")"
    # shellcheck disable=SC2086 # one word a pid
    kill -$signal $pids 2>/dev/null
    for ((i = 0; i < 20; i++)); do [ -z "$(chip_holders)" ] || nap 0.5; done
  done
  [ -n "$(chip_holders)" ] || rm -f /tmp/libtpu_lockfile
}

chips() { printf '%s\n' "${SLIPWAY_DEV_FOLDER:-/dev}"/accel* "${SLIPWAY_DEV_FOLDER:-/dev}"/vfio/[0-9]* | grep -c .; }

# chips_are_all_there: where any chip can be seen; a machine that shows fewer than it has is at fault, not the job.
chips_are_all_there() {
  local seen expected=$((JOB_CHIPS / workers))
  seen=$(chips)
  [ "$seen" = 0 ] || [ "$seen" -ge "$expected" ] || because "a fault of this machine, instance $instance: $seen of $expected chips are there"
}

# chip_holders: processes of a job, or orphans that no service keeps. What a person or a service runs is left alone.
chip_holders() {
  local pid
  [ "$(chips)" -gt 0 ] || return 0
  for pid in $(find /proc/[0-9]*/fd \( -lname "${SLIPWAY_DEV_FOLDER:-/dev}/accel*" -o -lname "${SLIPWAY_DEV_FOLDER:-/dev}/vfio/[0-9]*" \) 2>/dev/null | cut -d/ -f3 | sort -u); do
    if grep -qz '^SLIPWAY_JOB=' "/proc/$pid/environ" 2>/dev/null ||
      { grep -qx $'PPid:\t1' "/proc/$pid/status" && ! grep -q '\.service' "/proc/$pid/cgroup"; } 2>/dev/null; then echo "$pid"; fi
  done
}

# --- the environment of the command ------------------------------------------------------------------------------------------
# secret REFERENCE: file:PATH, or secret:projects/P/secrets/S/versions/V of Secret Manager. On stdout only.
secret() {
  local asked=${1#secret:} role='roles/secretmanager.secretAccessor on it'
  case $1 in
    file:*) cat "${1#file:}" ;;
    secret:*) ask "$JOB_SECRET_MANAGER/v1/${1#secret:}:access" | tr -d '\n' | sed -n 's/.*"data" *: *"\([^"]*\)".*/\1/p' | base64 -d ;;
  esac
}

# read_secrets: fetched once an attempt, and kept in this shell only: a command never starts with an empty one.
read_secrets() {
  local entry value
  secrets=()
  for entry in "${JOB_SECRETS[@]}"; do
    value=$(secret "${entry#*=}")
    [ -n "$value" ] || because "the secret of ${entry%%=*} cannot be read from ${entry#*=}" || return 1
    secrets+=("${entry%%=*}=$value")
  done
}

# become USER HOME WORDS: turns this subshell into them, in a session of their own, with the job's environment. That goes through a
# file that is gone at once into a new shell: none of its names can meet one of ours, and no value stands in an argv. Not by runuser or
# su: these stay as parents, and two seconds after a TERM they KILL.
become() {
  local user=$1 directory=$2 switch=() file=$RUN/environment.$BASHPID
  shift 2
  [ "$(id -un)" = "$user" ] || switch=(setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --)
  ulimit -n 100000 2>/dev/null || ulimit -n "$(ulimit -Hn)"
  printf '%s\0' "${environment[@]}" "${secrets[@]}" "USER=$user" "LOGNAME=$user" "HOME=$directory" "SLIPWAY_ATTEMPT=$attempt" >"$file" &&
    exec 3<"$file" 9>&- && rm -f "$file" || return 1
  # shellcheck disable=SC2016 # for the new shell
  exec "${switch[@]}" setsid "$BASH" -c 'while IFS= read -r -d "" __slipway_one; do export "$__slipway_one"; done <&3
    exec 3<&- && unset __slipway_one && exec "$@"' become "$@"
}

rank_environment() {
  local coordinator=$1 step=$2
  environment=("${JOB_ENV[@]}"
    "SLIPWAY_JOB=$JOB_NAME" "SLIPWAY_SLICE=$slice" "SLIPWAY_WORKER=$worker" "SLIPWAY_NUM_SLICES=$slices"
    "SLIPWAY_WORKERS_PER_SLICE=$workers" "SLIPWAY_PROCESS_ID=$((slice * workers + worker))"
    "SLIPWAY_NUM_PROCESSES=$((slices * workers))" "SLIPWAY_COORDINATOR=$coordinator"
    "SLIPWAY_CHECKPOINT_DIR=$JOB_CHECKPOINT_DIR")
  [ "$step" -ge 0 ] && environment+=("SLIPWAY_RESUME_STEP=$step")
  [ "$slices" -gt 1 ] && environment+=("MEGASCALE_NUM_SLICES=$slices" "MEGASCALE_SLICE_ID=$slice" "MEGASCALE_COORDINATOR_ADDRESS=$coordinator")
  return 0
}

# --- attempts ----------------------------------------------------------------------------------------------------------------
here() { printf '%s/attempt/%06d' "$CTL" "$attempt"; }

# report PHASE: where this worker is; slice 0 worker 0 says what is committed, too. It changes as long as we live.
report() {
  [ "$slot" != 0-0 ] || [ "$1" != running ] || see_step || true
  write "$CTL/slot/$slot" <<<"$(printf '%s\n' "phase=$1" "attempt=$attempt" "boot=$boot" "instance=$instance" "address=$address" \
    "time=$(timestamp)" "step=$(cat "$RUN/step" 2>/dev/null)" "phases=$phases")"
}

# stop_asked: the user's word, which nobody has to pass on.
stop_asked() { show "$CTL/stop" >/dev/null; }

# find_attempt: the newest that has no verdict, or the one after it. Ends the script when the job is over.
find_attempt() {
  local newest verdict
  while :; do
    if show "$CTL/finished" >"$RUN/finished"; then
      attempt=$(field attempt <"$RUN/finished")
      finish "$(<"$RUN/finished")"
    fi
    # A list that could not be had is not an empty one.
    until newest=$(list "$CTL/attempt/" /); do nap "$(jittered "$(poll)")"; done
    newest=$(grep -E '^[0-9]{6}/$' <<<"$newest" | sort | tail -n 1)
    attempt=1
    [ -n "$newest" ] || return
    attempt=$((10#${newest%/}))
    verdict=$(show "$(here)/verdict") && { after_verdict "$verdict"; return; }
    show "$(here)/go" >"$RUN/go" || return
    grep -qx "member=$slot/$boot" "$RUN/go" && [ "$(cut -d' ' -f1 "$RUN/started" 2>/dev/null)" != "$attempt" ] && return
    # This worker took part before a boot, or before somebody killed its supervisor. If its command had ended, nothing is lost.
    end_seen=''
    until newest=$(list "$(here)/exit/$slot/"); do nap "$(jittered "$(poll)")"; done
    if [ -n "$newest" ]; then await_verdict; else conclude preempted "slice $slice worker $worker booted again" || nap "$(poll)"; fi
  done
}

# after_verdict VERDICT: what it means for what comes next.
after_verdict() {
  local pause
  case $(field verdict <<<"$1") in done | give-up | stopped) finish "$1" ;; esac
  attempt=$((attempt + 1))
  pause=$(field pause <<<"$1")
  [ "${pause:-0}" -gt 0 ] || return
  say "waits ${pause}s before attempt $attempt"
  report back-off
  pause=$((SECONDS + pause))
  while [ $SECONDS -lt $pause ] && ! stop_asked; do nap $((pause - SECONDS < $(poll) ? pause - SECONDS : $(poll))); done
}

# Says that this worker is ready, and takes back what it said in an earlier boot.
be_ready() {
  local name
  for name in $(list "$(here)/ready/$slot/"); do
    [ "$name" = "$boot~$instance~$address" ] || remove "$(here)/ready/$slot/$name"
  done
  ready_name=$(here)/ready/$slot/$boot~$instance~$address
  write "$ready_name" <<<"$(printf '%s\n' "spec=$JOB_DIGEST" "code=$JOB_CODE_SHA256" "phases=$phases")"
}

# barrier: until everybody of this attempt is ready; the leader says go. 1: the attempt is over before it began.
barrier() {
  local began=$SECONDS limit said=0 late
  limit=$((600 + slices * workers * 10 > 3600 ? 3600 : 600 + slices * workers * 10))
  [ "$JOB_LATE_AFTER" = 0 ] || limit=$JOB_LATE_AFTER
  [ "$slot" = 0-0 ] || limit=$((limit * 2 + (slice * workers + worker) % 600 / 2)) # the leader itself may be who is late
  report barrier
  while :; do
    ended && return 1
    show "$(here)/go" >"$RUN/go" && break
    [ "$slot" = 0-0 ] && all_ready && say_go
    if [ $((SECONDS - began)) -ge $((limit * (said + 1))) ]; then
      said=$((said + 1))
      if [ "$slot" = 0-0 ] || ! show "$(here)/late" >/dev/null; then late=$(missing_slots ready); else late=''; fi
      case $slot:$late in 0-0:?* | *:0-0\ *) say "not ready after $((SECONDS - began))s: $late" && write "$(here)/late" <<<"missing=$late" ;; esac
    fi
    nap "$(jittered "$(quick)" 2)"
  done
  grep -qx "member=$slot/$boot" "$RUN/go" && return 0
  conclude preempted "slice $slice worker $worker booted again" || nap "$(poll)"
  return 1
}

# missing_slots WHAT: the slots that have no ready (or exit) object yet.
missing_slots() {
  local s w there
  local -A named=()
  there=$(list "$(here)/$1/" | cut -d/ -f1) || return 1
  for s in $there; do named[$s]=1; done
  for ((s = 0; s < slices; s++)); do
    for ((w = 0; w < workers; w++)); do [ -n "${named[$s-$w]:-}" ] || printf '%d-%d ' "$s" "$w"; done
  done
}

all_ready() {
  ready=$(list "$(here)/ready/") || return 1
  [ "$(cut -d/ -f1 <<<"$ready" | sort -u | grep -c .)" = $((slices * workers)) ]
}

# go: made once, by the leader. A worker that booted twice since has two names; only its newest boot stays (be_ready). Nobody starts
# from the beginning because the checkpoints cannot be seen.
say_go() {
  local result=0
  see_step || result=$?
  [ $result = 0 ] || say "the checkpoints in $JOB_CHECKPOINT_DIR cannot be read"
  [ $result != 3 ] || end_attempt setup "slice $slice worker $worker: the checkpoints in $JOB_CHECKPOINT_DIR may not be read (403)"
  [ $result = 0 ] || return
  write "$(here)/go" once <<<"$(printf '%s\n' "coordinator=$address" "step=$(<"$RUN/step")" "time=$(timestamp)")
$(sed -E 's#^([0-9]+-[0-9]+/[^~]*)~.*#member=\1#' <<<"$ready")"
}

# ended: somebody ended this attempt, or the user the job. That is for the leader to see; the others look too, less often.
ended() {
  [ -z "$end_seen" ] || return 0
  looks=$((looks + 1))
  if { [ "$slot" = 0-0 ] || [ $((looks % 5)) = 0 ]; } && stop_asked; then end_attempt stop 'the user said stop'; fi
  show "$(here)/end" >"$RUN/end" && end_seen=$(<"$RUN/end")
}

# end_attempt REASON TEXT: everybody stops; the first to say so is the one who is named.
end_attempt() {
  write "$(here)/end" once <<<"$(printf '%s\n' "reason=$1" "slot=$slot" "text=$2" "time=$(timestamp)")" || true
}

# --- the command -------------------------------------------------------------------------------------------------------------
# signal_child NAME: to the whole process group.
signal_child() { [ -n "$child" ] && kill "-$1" -- "-$child" 2>/dev/null; }

child_lives() { kill -0 -- "-$child" 2>/dev/null || kill -0 "$child" 2>/dev/null; }

# The machine goes down, or somebody ends us: the command hears of it at once.
on_term() {
  told=1
  [ -n "$child$launching" ] || { [ -z "$ready_name" ] || remove "$ready_name"; exit 143; } # nobody starts with who is gone
  signal_child TERM && termed=1
}

start_command() {
  local coordinator step
  coordinator=$(field coordinator <"$RUN/go")
  step=$(field step <"$RUN/go")
  rank_environment "$coordinator" "$step"
  upload_rest
  log=$STATE/output uploaded=0 freed=0 part=0 quiet_step=$step ready_name=''
  : >"$log"
  note_upload
  say "starts; resumes from step $step"
  # A group of its own; it holds neither our lock nor our stdin.
  launching=1
  (cd "$code" && become "$JOB_USER" "$home" bash -c "$JOB_COMMAND") </dev/null >>"$log" 2>&1 &
  child=$! launching=''
  echo "$attempt $child" >"$RUN/started"
  began_at=$EPOCHSECONDS
}

# stop_child: TERM, if it had none yet, the grace, KILL; answers when nothing of the group lives.
stop_child() {
  local deadline=$((SECONDS + JOB_GRACE))
  while child_lives && [ $SECONDS -lt $deadline ]; do
    [ "$termed" = 1 ] || { signal_child TERM && termed=1; }
    nap 0.2
  done
  if child_lives; then say "did not end within ${JOB_GRACE}s of TERM: KILL" && signal_child KILL; fi
}

# upload_log: what is new since the last time, as the next parts, each small enough for the memory that /run is. Of a large file the disk
# gets back what is uploaded: as a hole, because a file that is cut would lose what the command writes meanwhile.
upload_log() {
  local size count most=$((64 << 20))
  size=$(stat -c %s "$log")
  while [ "$size" -gt "$uploaded" ]; do
    count=$((size - uploaded < most ? size - uploaded : most))
    tail -c "+$((uploaded + 1))" "$log" | head -c $count >"$RUN/part"
    put "$JOB_PREFIX/logs/$(printf '%06d/%s/%06d' "$attempt" "$slot" "$part")" "$RUN/part" || return 1
    part=$((part + 1)) uploaded=$((uploaded + count))
    note_upload
    [ -z "$child" ] || report running
  done
  if [ $((uploaded - freed)) -gt "$JOB_LOG_BYTES" ]; then
    fallocate --punch-hole --offset 0 --length "$uploaded" "$log" 2>/dev/null || say 'the disk cannot free a part of the log'
    freed=$uploaded
  fi
}

# What of whose output is in the bucket: a boot later the rest goes there, which says most about a reset.
note_upload() { echo "$attempt $part $uploaded $JOB_PREFIX" >"$STATE/uploaded.new" && mv "$STATE/uploaded.new" "$STATE/uploaded"; }
upload_rest() {
  local attempt part uploaded prefix freed=0 log=$STATE/output
  if [ -e "$log" ] && read -r attempt part uploaded prefix 2>/dev/null <"$STATE/uploaded" && [ "$prefix" = "$JOB_PREFIX" ]; then upload_log; fi
}

last_words() { tail -c 8192 "$log" | one_line 200; }

# disk_fault: says that the disk is full, which nobody else could write down.
disk_fault() {
  [ "$(df --output=avail "$STATE" | tail -n 1)" -ge 1024 ] || printf 'a fault of this machine, instance %s: its disk is full; ' "$instance"
}

# hung: neither output nor a new step for the hang timeout; as steps are looked at only then, it may take twice as long.
hung() {
  local size step
  [ "$JOB_HANG_TIMEOUT" -gt 0 ] || return 1
  size=$part:$(stat -c %s "$log")
  [ "$size" = "$quiet_size" ] || { quiet_size=$size quiet_since=$SECONDS && return 1; }
  [ $((SECONDS - quiet_since)) -ge "$JOB_HANG_TIMEOUT" ] || return 1
  see_step || return 1
  step=$(<"$RUN/step")
  [ "$step" != "$quiet_step" ] || return 0
  quiet_step=$step quiet_since=$SECONDS
  return 1
}

# Where it hangs, into its own output: py-spy where it is, else QUIT, which many runtimes answer with their stacks.
show_stacks() {
  local pid enough=$((SECONDS + 30))
  for pid in $(ps -o pid= -g "$child" 2>/dev/null || echo "$child"); do
    [ $SECONDS -lt $enough ] || break
    if command -v py-spy >/dev/null; then timeout 20 py-spy dump --pid "$pid" >>"$log" 2>&1 9>&-; else kill -QUIT "$pid" 2>/dev/null; fi
  done
  nap 1
}

# tick: half a second, or less when the command ends: who failed first is known by who says so first.
tick() {
  local timer
  sleep 0.5 9>&- &
  timer=$!
  wait -n "$child" $timer 2>/dev/null
  kill $timer 2>/dev/null && wait $timer 2>/dev/null
}

# beat_period: how often each says that it lives.
beat_period() { echo $(($(poll) * 10)); }

# heed_term: we were told to end, and the command was by on_term.
heed_term() {
  stopping=1
  end_attempt preempted "slice $slice worker $worker was told to end"
  stop_child
}

# supervise: until the command has ended, by itself or because the attempt did.
supervise() {
  local looked=$SECONDS sent=$SECONDS beat=$SECONDS stopping=0 first_output='' period=$JOB_LOG_PERIOD
  [ "$slot" = 0-0 ] && [ "$period" -gt 5 ] && period=5
  while kill -0 "$child" 2>/dev/null; do
    tick
    authorize # here, so that what runs in subshells inherits it
    [ $told = 0 ] || [ $stopping = 1 ] || heed_term
    if [ -z "$first_output" ] && [ -s "$log" ]; then first_output=1 && phase first-output && report running; fi
    if [ $((SECONDS - looked)) -ge "$(poll)" ]; then
      looked=$SECONDS
      if metadata instance/preempted >"$RUN/preempted" && [ "$(<"$RUN/preempted")" = TRUE ] && [ $preempted = 0 ]; then
        preempted=1 && end_attempt preempted "slice $slice worker $worker is being preempted"
      fi
      if ended; then
        stop_child
      elif hung; then
        say "hangs: no output and no new step for ${JOB_HANG_TIMEOUT}s"
        end_attempt hang "slice $slice worker $worker said nothing and made no step for ${JOB_HANG_TIMEOUT}s"
        show_stacks
        stop_child
      fi
    fi
    [ $((SECONDS - sent)) -lt "$period" ] || { sent=$SECONDS && upload_log; }
    [ $((SECONDS - beat)) -lt "$(beat_period)" ] || { beat=$SECONDS && report running; }
  done
  wait "$child"
  code_of_child=$?
  [ $told = 0 ] || [ $stopping = 1 ] || heed_term
  # What the command left behind in its group goes too.
  child_lives && signal_child KILL
  child=''
}

# The marker first, then the log: the others wait for the marker.
mark_exit() {
  local flags=-
  [ "$termed" = 1 ] || [ "$told" = 1 ] && flags=t
  [ "$preempted" = 1 ] && flags+=p
  until write "$(here)/exit/$slot/$boot~$1~$flags" <<<"$(printf '%s\n' "code=$1" "flags=$flags" "text=$2" "phases=$phases" \
    "seconds=$((EPOCHSECONDS - ${began_at:-EPOCHSECONDS}))")" || show "$(here)/verdict" >/dev/null; do nap "$(jittered "$(poll)")"; done
}

# --- the verdict -------------------------------------------------------------------------------------------------------------
# exits: "S-W CODE FLAGS", one a line.
exits() { list "$(here)/exit/" | sed -E 's#^([0-9]+-[0-9]+)/[^~]*~([^~]*)~(.*)$#\1 \2 \3#' | sort -u; }

# await_verdict: the leader decides when all have ended, or the silent ones are given up; the others when the leader is silent.
await_verdict() {
  local limit deadline=0 index=$((slice * workers + worker)) felt=$SECONDS
  local -A pulse=()
  limit=$((JOB_GRACE + 10 * JOB_POLL + 2 * $(poll)))
  [ "$slot" = 0-0 ] || limit=$((limit * 2 + index % 64 * 2))
  until show "$(here)/verdict" >/dev/null; do
    # Only an end starts the clock: without one the others are simply still at work.
    ended && [ $deadline = 0 ] && deadline=$((SECONDS + limit))
    if [ "$slot" = 0-0 ] && [ "$(exits | cut -d' ' -f1 | sort -u | grep -c .)" = $((slices * workers)) ]; then
      decide && continue
    elif [ $deadline -gt 0 ]; then
      [ $SECONDS -lt $deadline ] || { decide && continue; }
    elif [ $((SECONDS - felt)) -ge $((2 * $(beat_period))) ]; then
      [ $((SECONDS - felt)) -lt $((3 * $(beat_period))) ] || pulse=() # we did not look ourselves: an outage is nobody's silence
      felt=$SECONDS
      feel_pulses
    fi
    nap "$(jittered "$(poll)")"
  done
}

# feel_pulses: who is at work says so each beat. A word that has not changed since the last look is of somebody who fell silent. The
# leader looks at all, the others at the leader; once it has ended and so has everybody, it has its limit to say the verdict.
feel_pulses() {
  local s word late=0-0
  if [ "$slot" = 0-0 ] || [ -n "$(list "$(here)/exit/0-0/")" ]; then late=$(missing_slots exit) || return; fi
  [ -n "$late" ] || deadline=$((SECONDS + limit))
  [ "$slot" = 0-0 ] || [ "${late%% *}" = 0-0 ] || return
  for s in $late; do
    word=$(show "$CTL/slot/$s") || continue
    [ "${pulse[$s]:-}" != "$word" ] || end_attempt preempted "slice ${s%-*} worker ${s#*-} has fallen silent"
    pulse[$s]=$word
    [ "$slot" = 0-0 ] || break
  done
}

# decide: the verdict over this attempt, from its exit markers. 1: it cannot be said yet.
decide() {
  local all missing reason first reached=0
  all=$(exits) && missing=$(missing_slots exit) || return 1
  ended # the reason is written before the exits
  reason=$(field reason <<<"$end_seen")
  first=$(field text <<<"$end_seen")
  [ "$reason" != 'done' ] || reason='' # somebody decided so, and could not write it
  rule_holds || reached=$?
  [ $reached != 2 ] || [ "$reason" = setup ] || stop_asked || return 1
  if [ "$reason" = stop ]; then
    conclude stopped "$first"
  elif [ $reached = 0 ]; then
    conclude 'done' "$rule_text"
  elif [ $reached = 3 ]; then
    conclude setup "what tells whether the job is done may not be read (403): $JOB_DONE_WHEN"
  elif [ "$reason" = preempted ] || grep -q 'p$' <<<"$all"; then
    conclude preempted "${first:-a slice was preempted}"
  elif [ "$reason" = setup ]; then
    conclude setup "$first"
  elif [ -n "$missing" ] && [ "$reason" != hang ]; then
    conclude preempted "silent: $missing${first:+; $first}"
  elif [ -z "$reason" ] && ! grep -vq ' 0 ' <<<"$all"; then
    # Exit code 0 everywhere: done by the rule, or a save on TERM that looks like it (MaxText exits 0 then).
    if ! grep -q ' t' <<<"$all"; then conclude failed "$rule_text, though all ended with 0"; else conclude preempted "$rule_text, after TERM"; fi
  else
    decide_failure "$all" "${first:-some ended with an error}"
  fi
}

# rule_holds: is the job done? 1: no; 2: nobody can see; 3: it may not be read. Reads what decide knows, and leaves in $rule_text what is so.
rule_holds() {
  local target=${JOB_DONE_WHEN#*:} result=1 word=('' ' not') blind=(0 2 2 3 1 2)
  case $JOB_DONE_WHEN in
    step:*)
      see_step || return "${blind[$?]}"
      if [ "$(<"$RUN/step")" -ge "$target" ]; then result=0; fi
      rule_text="step $target is${word[result]} committed"
      ;;
    file:*)
      object_exists "$target"
      result=$?
      [ $result -lt 2 ] || return $result
      rule_text="$target is${word[result]} there"
      ;;
    *)
      rule_text='it was told to end'
      if [ -z "$missing$reason" ] && ! grep -vq ' 0 -$' <<<"$all"; then result=0 rule_text='all ended with 0'; fi
      ;;
  esac
  return $result
}

# object_exists PLACE: an object, or anything below a folder. 1: no; 2: nobody can see; 3: it may not be read.
object_exists() {
  local place=${1%/}
  case $place in
    gs://*) names_below "${place%/*}" >"$RUN/names" || return "${blind[$?]}" && grep -qxF -e "${place##*/}" -e "${place##*/}/" "$RUN/names" ;;
    *) [ -e "$place" ] ;;
  esac
}

decide_failure() {
  local code
  for code in $JOB_FATAL_CODES; do
    if grep -q " $code -" <<<"$1"; then set -- "$1" "exit code $code is one that trying again does not mend: $2" give-up && break; fi
  done
  conclude "${3:-failed}" "$2"
}

# conclude VERDICT TEXT: writes the verdict once, with the counts that the next one goes on from. Failures start anew after progress.
# The user's stop comes before all but done.
conclude() {
  local verdict before='' hangs failures stuck setups preemptions step last pause=0 seen=1
  [ "$1" = 'done' ] || ! stop_asked || set -- stopped 'the user said stop'
  verdict=$1
  if ((attempt > 1)); then before=$(show "$(printf '%s/attempt/%06d/verdict' "$CTL" $((attempt - 1)))") || [ $? = 4 ] || return 1; fi
  count() { field "$1" <<<"$before" | grep -E '^-?[0-9]+$' || echo "$2"; }
  hangs=$(count hangs 0) failures=$(count failures 0) stuck=$(count stuck 0) setups=$(count setups 0) preemptions=$(count preemptions 0) last=$(count step -1)
  step=$(newest_step) || step=$last seen=0 # what cannot be seen is no progress, and no lack of it
  if [ "$step" -gt "$last" ]; then failures=0 stuck=0 seen=0; fi
  if [ "$(field reason <<<"$end_seen")" = hang ]; then hangs=$((hangs + 1)); else hangs=0; fi
  case $verdict in
    preempted) preemptions=$((preemptions + 1)) ;;
    setup)
      setups=$((setups + 1)) pause=$(back_off $setups) verdict=failed
      [ $setups -lt "$JOB_SETUP_TRIES" ] || { verdict=give-up && set -- "$1" "$2; that was try $setups of $JOB_SETUP_TRIES"; }
      ;;
    failed)
      failures=$((failures + 1)) stuck=$((stuck + seen)) setups=0 pause=$(back_off $failures)
      if [ $failures -gt "$JOB_MAX_FAILURES" ]; then
        verdict=give-up && set -- "$1" "$2; failure $failures in a row, and $JOB_MAX_FAILURES are allowed"
      elif [ -n "$JOB_CHECKPOINT_DIR" ] && [ $stuck -ge 3 ]; then
        verdict=give-up && set -- "$1" "$2; no new committed step in $stuck attempts"
      fi
      ;;
  esac
  end_attempt "$verdict" "$2" # the others may still be at work
  say "verdict: $verdict: $2"
  write "$(here)/verdict" once <<<"$(printf '%s\n' "verdict=$verdict" "text=$2" "step=$step" "hangs=$hangs" "failures=$failures" "stuck=$stuck" \
    "setups=$setups" "preemptions=$preemptions" "pause=$pause" "by=$slot" "time=$(timestamp)")" || return
  if [ "$verdict" = failed ] && [ "$hangs" -ge 2 ] || [[ $verdict:$2 = preempted:*'has fallen silent' ]]; then reset_slices; fi
}

# api CURL-ARGUMENT...: asks the TPU API.
api() {
  local asked=$JOB_TPU role='roles/tpu.admin'
  ask "$@"
}

# reset_slices: what hangs twice in a row, or fell silent, may be a machine's fault, which only a boot mends; this ends us too.
reset_slices() {
  say 'resets all slices'
  api -X POST -H 'Content-Type: application/json' --data '{}' "$JOB_TPU/v2/$JOB_RESOURCE:reset" >/dev/null
}

# back_off N: the least pause, doubled with each failure in a row, up to the most.
back_off() {
  local pause=$JOB_BACKOFF_LEAST i
  for ((i = 1; i < $1 && pause < JOB_BACKOFF_MOST; i++)); do pause=$((pause * 2)); done
  echo $((pause < JOB_BACKOFF_MOST ? pause : JOB_BACKOFF_MOST))
}

# --- the end of the job ------------------------------------------------------------------------------------------------------
# finish VERDICT: nothing starts after this; by policy, the leader gives the resource back.
finish() {
  write "$CTL/finished" once <<<"$(printf '%s\nattempt=%d' "$1" "$attempt")" || true
  say "the job is over: $(field verdict <<<"$1"): $(field text <<<"$1")"
  report finished
  upload_rest || say 'a part of the log could not be uploaded'
  write "$(here)/closed/$slot" <<<"time=$(timestamp)"
  [ "$slot" = 0-0 ] && release "$(field verdict <<<"$1")"
  exit 0
}

# release VERDICT: when the policy wants it, after every log is in the bucket or its limit, and only if the resource is whole.
release() {
  local deadline=$((SECONDS + 300)) answer request
  case $JOB_RELEASE:$1 in
    always:* | on-success:done) ;;
    *) return 0 ;;
  esac
  # A list that could not be had names nobody, and says nothing.
  until { answer=$(missing_slots closed) && [ -z "$answer" ]; } || [ $SECONDS -ge $deadline ]; do nap "$(jittered "$(poll)")"; done
  request=$(show "$CTL/release" | field request)
  request=${request:-$(</proc/sys/kernel/random/uuid)}
  answer=$(api "$JOB_TPU/v2/$JOB_RESOURCE") || not_released "the queued resource cannot be read (does the service account have roles/tpu.admin?)" || return
  case ${answer//[[:space:]]/} in
    *'"state":{"state":"ACTIVE"'*) ;;
    *) not_released 'the queued resource is not ACTIVE' || return ;;
  esac
  all_nodes_are_ready || not_released 'not every slice is READY: one may be in repair' || return
  write "$CTL/release" <<<"request=$request"
  say 'releases the resource'
  api -X DELETE "$JOB_TPU/v2/$JOB_RESOURCE?force=true&requestId=$request" >/dev/null ||
    not_released "the API refused it (does the service account have roles/tpu.admin?)"
}

not_released() {
  say "does not release: $1"
  write "$CTL/release" <<<"$(printf '%s\n' "refused=$1" "request=$request")"
  return 1
}

# all_nodes_are_ready: each of our slices was seen READY. One node an entry: the states stand in the order of the nodes.
all_nodes_are_ready() {
  local answer page='' ready=0
  while :; do
    answer=$(api "$JOB_TPU/v2/${JOB_RESOURCE%/queuedResources/*}/nodes?pageSize=1000${page:+&pageToken=$(escaped "$page")}") || return 1
    ready=$((ready + $(tr -d '\n' <<<"$answer" | sed 's/{ *"name" *:/\n&/g' | grep -F "queuedResources/${JOB_RESOURCE##*/}\"" | grep -c '"state" *: *"READY"')))
    page=$(next_page <<<"$answer")
    [ -n "$page" ] || break
  done
  [ $ready = "$slices" ]
}

# --- all of it ---------------------------------------------------------------------------------------------------------------
# prepare: what every attempt needs and a boot does once. 1, with $reason, when this worker cannot take part.
prepare() {
  reason=''
  environment=("${JOB_ENV[@]}") secrets=()
  job_user_is_there || because "the user $JOB_USER cannot be made" || return 1
  report code
  code_is_there || return 1
  phase code
  report setup
  read_secrets || return 1
  setup_is_done || return 1
  phase setup
  end_chip_holders
  chips_are_all_there
}

# one_attempt: prepare, meet, run, mark, decide.
one_attempt() {
  if stop_asked; then conclude stopped 'the user said stop' || nap "$(poll)"; return; fi
  child='' termed=0 preempted=0 end_seen='' ready_name='' quiet_size='' quiet_since=$SECONDS began_at=''
  phase_began=${EPOCHREALTIME/[.,]/}
  case $phases in *code=*) phases='' ;; esac
  if ! prepare; then
    reason=$(disk_fault)$reason
    say "cannot take part: $reason"
    end_attempt setup "slice $slice worker $worker: $reason"
    mark_exit setup "$reason"
  else
    until be_ready || ended; do nap "$(jittered "$(poll)")"; done
    if barrier; then
      phase barrier
      start_command
      report running
      supervise
      reason=$(last_words)
      reason=${reason:-it said nothing}
      if [ "$code_of_child" != 0 ]; then
        reason=$(disk_fault)$reason && end_attempt failed "slice $slice worker $worker ended with $code_of_child: $reason"
      fi
      mark_exit "$code_of_child" "$reason"
      say "ended with $code_of_child"
      upload_log
      [ $told = 0 ] || exit 143
    elif [ -n "$end_seen" ]; then
      mark_exit none 'the attempt ended before it began'
    else
      return # the verdict is there already
    fi
  fi
  await_verdict
}

alone_in_this_boot
trap on_term TERM INT
who_am_i
phase boot
say "spec ${JOB_DIGEST:0:12}, boot $boot of instance $instance at $address in $zone; $slices slices of $workers workers"
upload_rest
find_attempt
while :; do
  one_attempt
  # Somebody may have gone further while we waited.
  find_attempt
done
