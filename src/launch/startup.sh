# What every worker of a job does at every boot. Above this line stand only quoted assignments (JOB_...); no text of the user is
# ever pasted into this program. It needs bash, curl, coreutils and util-linux (flock, setsid, setpriv), and root.
#
# All state that matters is in the bucket, below $JOB_PREFIX/ctl:
#   attempt/N/ready/S-W/BOOT~INSTANCE~IP   this worker is set up and waits; its content has the phases' times
#   attempt/N/go                           made once: who takes part (by boot id), the coordinator, the step to resume from
#   attempt/N/end                          made once: why everybody stops
#   attempt/N/exit/S-W/BOOT~CODE~FLAGS     how this worker's command ended
#   attempt/N/verdict                      made once: done, preempted, failed, give-up or stopped, and what counts on
#   slot/S-W                               where this worker is, for people
#   stop, finished, release                the user's word; the end of the job; who released the resource
# "Made once" is a write that fails when the object exists (ifGenerationMatch=0): whoever comes first decides, for all.
set -u -o pipefail
shopt -s extglob nullglob

readonly RUN=${SLIPWAY_RUN_FOLDER:-/run/slipway}/$JOB_NAME
readonly STATE=${SLIPWAY_STATE_FOLDER:-/root/.slipway}/$JOB_NAME
readonly METADATA=http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1
readonly CTL=$JOB_PREFIX/ctl

attempt=0 slice=0 worker=0 slices=$JOB_SLICES workers=1 slot=0-0 boot='' instance='' address='' zone=''
phases='' phase_began=${EPOCHREALTIME/[.,]/}
child='' told=0 termed=0 preempted=0 end_seen=''

# --- words -------------------------------------------------------------------------------------------------------------------

# time: RFC 3339, without a process for it.
timestamp() { TZ=UTC printf '%(%FT%TZ)T' -1; }

# To stderr: the stdout of functions is what they answer.
say() { printf '%s slipway: job %s attempt %d slice %d worker %d: %s\n' "$(timestamp)" "$JOB_NAME" "$attempt" "$slice" "$worker" "$*" >&2; }

# die CODE TEXT: the supervisor itself cannot go on.
die() {
  say "$2"
  exit "$1"
}

# field NAME: the value at "NAME=" of the lines on stdin.
field() { sed -n "s/^$1=//p" | head -n 1; }

# one_line LIMIT: stdin's last line that says something, printable, at most LIMIT bytes.
one_line() { tr -cd '\n\t\040-\176' | grep -v '^[[:space:]]*$' | tail -n 1 | head -c "$1"; }

# phase NAME: how long the phase that ends here took, and where this worker is.
phase() {
  local now=${EPOCHREALTIME/[.,]/} tenths
  tenths=$(((now - phase_began) / 100000))
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

metadata() { curl -sf --max-time 10 -H 'Metadata-Flavor: Google' "$METADATA/$1"; }

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
  answer=$(metadata 'instance/service-accounts/default/token') || return 1
  seconds=$(sed -n 's/.*"expires_in" *: *\([0-9]*\).*/\1/p' <<<"$answer")
  (umask 077 && sed -n 's/.*"access_token" *: *"\([^"]*\)".*/Authorization: Bearer \1/p' <<<"$answer" >"$draft") || return 1
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
    # In the background, so that a signal to us is passed on while it runs.
    curl -s --connect-timeout 10 --max-time 120 -o "$body" -w '%{http_code}' -H "@$token" "$@" >"$body.status" 9>&- &
    finished $! && status=$(<"$body.status") || status=000
    rm -f "$body.status"
    case $status in
      2??) return 0 ;;
      404) return 4 ;;
      412) return 5 ;;
      401) token_until=0 ;;
      403)
        say "$asked refused us (403): the workers' service account needs $role"
        return 3
        ;;
      000 | 408 | 429 | 5??) ;;
      *)
        say "$asked answered $status: $(one_line 200 <"$body")"
        return 1
        ;;
    esac
    [ $SECONDS -lt $deadline ] || return 1
    nap "$(jittered $pause)"
    pause=$((pause < 16 ? pause * 2 : 16))
  done
}

# scratch: a new file's name for one answer.
scratch() { echo "$RUN/answer.$BASHPID.$RANDOM$RANDOM"; }

# get NAME FILE [BUCKET]
get() { storage "$2" "$JOB_STORAGE/storage/v1/b/${3:-$JOB_BUCKET}/o/$(escaped "$1")?alt=media"; }

# show NAME: the object on stdout; nothing when it is not there.
show() {
  local file result=0
  file=$(scratch)
  get "$1" "$file" && cat "$file" || result=$?
  rm -f "$file"
  return $result
}

# put NAME FILE [once]: writes an object; with "once" only if it is not there yet (5 when it is).
put() {
  local file result=0 once=''
  [ "${3:-}" = once ] && once='&ifGenerationMatch=0'
  file=$(scratch)
  storage "$file" -X POST -H 'Content-Type: text/plain' --data-binary "@$2" \
    "$JOB_STORAGE/upload/storage/v1/b/$JOB_BUCKET/o?uploadType=media&name=$(escaped "$1")$once" || result=$?
  rm -f "$file"
  return $result
}

# write NAME [once]: the same from stdin.
write() {
  local file result=0
  file=$(scratch)
  cat >"$file"
  put "$1" "$file" "${2:-}" || result=$?
  rm -f "$file"
  return $result
}

remove() {
  local file result=0
  file=$(scratch)
  storage "$file" -X DELETE "$JOB_STORAGE/storage/v1/b/$JOB_BUCKET/o/$(escaped "$1")" || result=$?
  rm -f "$file"
  return $result
}

# list PREFIX [DELIMITER] [BUCKET]: the names below PREFIX (with a delimiter, the folders too), one a line, without PREFIX.
list() {
  local prefix=$1 query file page='' result=0 bucket=${3:-$JOB_BUCKET}
  query="prefix=$(escaped "$prefix")&fields=nextPageToken,prefixes,items(name)"
  [ -n "${2:-}" ] && query+="&delimiter=$(escaped "$2")"
  file=$(scratch)
  while :; do
    storage "$file" --globoff "$JOB_STORAGE/storage/v1/b/$bucket/o?$query${page:+&pageToken=$(escaped "$page")}" || {
      result=$?
      break
    }
    # Every name that we look for is made of letters that JSON writes as they are.
    tr -d '\n' <"$file" | grep -o '"[^"]*"' | tr -d '"' | while IFS= read -r word; do
      case $word in "$prefix"?*) printf '%s\n' "${word#"$prefix"}" ;; esac
    done
    page=$(sed -n 's/.*"nextPageToken" *: *"\([^"]*\)".*/\1/p' "$file")
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
    gs://*)
      rest=${folder#gs://}
      list "${rest#*/}" / "${rest%%/*}"
      ;;
    *)
      for entry in "$folder"*; do
        if [ -d "$entry" ]; then echo "${entry##*/}/"; else echo "${entry##*/}"; fi
      done
      ;;
  esac
}

# committed FOLDER NAME: Orbax commits a step by renaming its folder where renaming is one act; on an object store, which has no
# such act, by the object commit_success.txt in it. A file with a step in its name is complete when it is there.
committed() {
  case $2 in
    *.orbax-checkpoint-tmp* | *.tmp | *.tmp/ | *.partial) return 1 ;;
    */)
      case $1 in
        gs://*) [ "$JOB_CHECKPOINT_RULE" = plain ] || names_below "${1%/}/$2" | grep -qx 'commit_success.txt' ;;
        *) return 0 ;;
      esac
      ;;
    *) return 0 ;;
  esac
}

# newest_step: the newest committed step below the checkpoint folder; -1 for none.
newest_step() {
  local name step best=-1
  [ -n "$JOB_CHECKPOINT_DIR" ] || {
    echo -1
    return
  }
  # The highest number first: the first that is committed is the answer.
  while read -r step name; do
    if committed "$JOB_CHECKPOINT_DIR" "$name"; then
      best=$step
      break
    fi
  done < <(names_below "$JOB_CHECKPOINT_DIR" | sed -nE 's#^(([A-Za-z_]+[-_]?)?0*([0-9]+)([._-][^0-9/].*)?/?)$#\3 \1#p' | sort -k1,1nr)
  echo "$best"
}

# --- once a boot -------------------------------------------------------------------------------------------------------------

alone_in_this_boot() {
  mkdir -p "$RUN" "$STATE" || die 1 "cannot make $RUN and $STATE"
  chmod 700 "$RUN" "$STATE"
  exec 9>"$RUN/lock"
  flock -n 9 || {
    say 'is running already in this boot'
    exit 0
  }
  rm -f "$RUN"/answer.*
}

who_am_i() {
  local environment endpoints
  environment=$(metadata_until_there 'instance/attributes/tpu-env') || die 1 'the metadata server does not answer'
  env_value() { sed -n "s/^$1: *'\{0,1\}\([^']*\)'\{0,1\} *$/\1/p" <<<"$environment" | head -n 1; }
  slice=$(env_value MEGASCALE_SLICE_ID)
  worker=$(env_value WORKER_ID)
  zone=$(env_value ZONE)
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
  get "$JOB_CODE_OBJECT" "$archive" "$JOB_CODE_BUCKET" || {
    reason="the code gs://$JOB_CODE_BUCKET/$JOB_CODE_OBJECT cannot be read"
    return 1
  }
  [ "$(sha256sum <"$archive" | cut -d' ' -f1)" = "$JOB_CODE_SHA256" ] || {
    reason="the code gs://$JOB_CODE_BUCKET/$JOB_CODE_OBJECT is not what was launched: its digest differs"
    return 1
  }
  draft=$code.new
  if ! { rm -rf "$draft" && mkdir -p "$draft" && tar -xzf "$archive" --no-same-owner -C "$draft" &&
    chown -R "$JOB_USER" "$home/.slipway" && mv "$draft" "$code"; }; then
    reason="the code cannot be unpacked: $(df -h --output=avail "$home" | tail -n 1 | tr -d ' ') free"
    return 1
  fi
  rm -f "$archive"
}

# Another package manager may be at work just after boot: ten minutes at most.
dpkg_is_free() {
  local lock=${SLIPWAY_DPKG_LOCK:-/var/lib/dpkg/lock-frontend} inode deadline=$((SECONDS + ${SLIPWAY_DPKG_LIMIT:-600}))
  [ -e "$lock" ] || return 0
  inode=$(stat -c %i "$lock")
  while grep -q ":$inode " /proc/locks; do
    [ $SECONDS -lt $deadline ] || {
      reason='another package manager held its lock for too long'
      return 1
    }
    nap 2
  done
}

# setup_is_done: once for this set-up, this code and this machine image; as root, in the code's folder.
setup_is_done() {
  local stamp status
  [ -n "$JOB_SETUP" ] || return 0
  stamp=$STATE/setup-$(printf '%s\0%s\0%s' "$JOB_SETUP" "$JOB_CODE_SHA256" "$JOB_RUNTIME" | sha256sum | cut -c 1-16)
  [ -e "$stamp" ] && return 0
  dpkg_is_free || return 1
  say 'sets up'
  (cd "$code" && export_environment root /root && exec bash -c "$JOB_SETUP") </dev/null >"$STATE/setup.log" 2>&1
  status=$?
  [ $status = 0 ] || {
    reason="set-up ended with $status: $(one_line 200 <"$STATE/setup.log")"
    return 1
  }
  touch "$stamp"
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
    for ((i = 0; i < 20; i++)); do
      [ -n "$(chip_holders)" ] || break
      nap 0.5
    done
  done
  [ -n "$(chip_holders)" ] || rm -f /tmp/libtpu_lockfile
}

chips() { printf '%s\n' "${SLIPWAY_DEV_FOLDER:-/dev}"/accel* "${SLIPWAY_DEV_FOLDER:-/dev}"/vfio/[0-9]* | grep -c .; }

# chips_are_all_there: where any chip can be seen; a machine that shows fewer than it has is at fault, not the job.
chips_are_all_there() {
  local seen expected=$((JOB_CHIPS / workers))
  seen=$(chips)
  [ "$seen" = 0 ] || [ "$seen" -ge "$expected" ] || {
    reason="a fault of this machine, instance $instance: $seen of $expected chips are there"
    return 1
  }
}

chip_holders() {
  [ "$(chips)" -gt 0 ] || return 0
  find /proc/[0-9]*/fd \( -lname '/dev/accel*' -o -lname '/dev/vfio/[0-9]*' \) 2>/dev/null | cut -d/ -f3 | sort -u
}

# --- the environment of the command ------------------------------------------------------------------------------------------

# secret REFERENCE: file:PATH, or secret:projects/P/secrets/S/versions/V of Secret Manager. On stdout only.
secret() {
  local file result=0 asked=${1#secret:} role='roles/secretmanager.secretAccessor on it'
  case $1 in
    file:*) cat "${1#file:}" ;;
    secret:*)
      file=$(scratch)
      storage "$file" "$JOB_SECRET_MANAGER/v1/${1#secret:}:access" &&
        tr -d '\n' <"$file" | sed -n 's/.*"data" *: *"\([^"]*\)".*/\1/p' | base64 -d || result=1
      rm -f "$file"
      return $result
      ;;
  esac
}

# read_secrets: fetched once an attempt, and kept in this shell only: a command never starts with an empty one.
read_secrets() {
  local entry value
  secrets=()
  for entry in "${JOB_SECRETS[@]}"; do
    if ! value=$(secret "${entry#*=}") || [ -z "$value" ]; then
      reason="the secret of ${entry%%=*} cannot be read from ${entry#*=}"
      return 1
    fi
    secrets+=("${entry%%=*}=$value")
  done
}

# export_environment USER HOME: what the command gets; runs in the subshell that becomes it.
export_environment() {
  local entry
  for entry in "${environment[@]}"; do export "${entry?}"; done
  for entry in "${secrets[@]}"; do export "${entry?}"; done
  export USER=$1 LOGNAME=$1 HOME=$2 SLIPWAY_ATTEMPT=$attempt SLIPWAY_USER=$JOB_USER
  ulimit -n 100000 2>/dev/null || ulimit -n "$(ulimit -Hn)"
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

report() { printf 'phase=%s\nattempt=%d\nboot=%s\ninstance=%s\naddress=%s\ntime=%s\nphases=%s\n' "$1" "$attempt" "$boot" "$instance" "$address" "$(timestamp)" "$phases" | write "$CTL/slot/$slot"; }

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
    if verdict=$(show "$(here)/verdict"); then
      after_verdict "$verdict"
      return
    fi
    if show "$(here)/go" >"$RUN/go" && ! grep -qx "member=$slot/$boot" "$RUN/go"; then
      conclude preempted "slice $slice worker $worker booted again" || true
      continue
    fi
    return
  done
}

# after_verdict VERDICT: what it means for what comes next.
after_verdict() {
  local pause
  case $(field verdict <<<"$1") in
    done | give-up | stopped) finish "$1" ;;
    *)
      pause=$(field pause <<<"$1")
      [ "${pause:-0}" -gt 0 ] && say "waits ${pause}s before the next attempt" && nap "$pause"
      attempt=$((attempt + 1))
      ;;
  esac
}

# Says that this worker is ready, and takes back what it said in an earlier boot.
be_ready() {
  local name
  for name in $(list "$(here)/ready/$slot/"); do
    [ "$name" = "$boot~$instance~$address" ] || remove "$(here)/ready/$slot/$name"
  done
  printf 'spec=%s\ncode=%s\nphases=%s\n' "$JOB_DIGEST" "$JOB_CODE_SHA256" "$phases" | write "$(here)/ready/$slot/$boot~$instance~$address"
}

# barrier: until everybody of this attempt is ready; the leader says go. 1: the attempt is over before it began.
barrier() {
  local began=$SECONDS limit said=0
  limit=$((600 + slices * workers * 10 > 3600 ? 3600 : 600 + slices * workers * 10))
  [ "$JOB_LATE_AFTER" = 0 ] || limit=$JOB_LATE_AFTER
  report barrier
  while :; do
    show "$(here)/go" >"$RUN/go" && break
    ended && return 1
    if [ "$slot" = 0-0 ]; then
      all_ready && say_go
      if [ $((SECONDS - began)) -ge $((limit * (said + 1))) ]; then
        said=$((said + 1))
        say "not ready after $((SECONDS - began))s: $(missing_slots ready)"
        printf 'missing=%s\nseconds=%d\n' "$(missing_slots ready)" $((SECONDS - began)) | write "$(here)/late"
      fi
    fi
    nap "$(jittered "$(quick)" 2)"
  done
  grep -qx "member=$slot/$boot" "$RUN/go" && return 0
  conclude preempted "slice $slice worker $worker booted again"
  return 1
}

# missing_slots WHAT: the slots that have no ready (or exit) object yet.
missing_slots() {
  local s w there
  there=$(list "$(here)/$1/" | cut -d/ -f1 | sort -u)
  for ((s = 0; s < slices; s++)); do
    for ((w = 0; w < workers; w++)); do
      grep -qx "$s-$w" <<<"$there" || printf '%d-%d ' "$s" "$w"
    done
  done
}

all_ready() {
  ready=$(list "$(here)/ready/") || return 1
  [ "$(cut -d/ -f1 <<<"$ready" | sort -u | grep -c .)" = $((slices * workers)) ]
}

# go: made once, by the leader. A worker that booted twice since has two names; only its newest boot stays (be_ready).
say_go() {
  local coordinator
  coordinator=$(grep '^0-0/' <<<"$ready" | head -n 1)
  {
    printf 'coordinator=%s\nstep=%s\ntime=%s\n' "${coordinator##*~}" "$(newest_step)" "$(timestamp)"
    sed -E 's#^([0-9]+-[0-9]+/[^~]*)~.*#member=\1#' <<<"$ready"
  } | write "$(here)/go" once
}

# ended: somebody ended this attempt, or the user the job.
ended() {
  if [ "$slot" = 0-0 ] && show "$CTL/stop" >/dev/null; then end_attempt stop 'the user said stop'; fi
  local seen
  seen=$(show "$(here)/end") && end_seen=$seen
}

# end_attempt REASON TEXT: everybody stops; the first to say so is the one who is named.
end_attempt() { printf 'reason=%s\nslot=%s\ntext=%s\ntime=%s\n' "$1" "$slot" "$2" "$(timestamp)" | write "$(here)/end" once || true; }

# --- the command -------------------------------------------------------------------------------------------------------------

# signal_child NAME: to the whole process group.
signal_child() { [ -n "$child" ] && kill "-$1" -- "-$child" 2>/dev/null; }

child_lives() { kill -0 -- "-$child" 2>/dev/null; }

# The machine goes down, or somebody ends us: the command hears of it at once.
on_term() {
  told=1
  [ -n "$child" ] || exit 143
  signal_child TERM
}

start_command() {
  local coordinator step
  coordinator=$(field coordinator <"$RUN/go")
  step=$(field step <"$RUN/go")
  rank_environment "$coordinator" "$step"
  log=$STATE/output uploaded=0 freed=0 part=0
  : >"$log"
  say "starts; resumes from step $step"
  # A group of its own; it holds neither our lock nor our stdin.
  (
    cd "$code" && export_environment "$JOB_USER" "$home" && exec 9>&- &&
      as_job_user setsid bash -c "$JOB_COMMAND"
  ) </dev/null >>"$log" 2>&1 &
  child=$!
  began_at=$EPOCHSECONDS
}

# as_job_user WORDS: becomes them. Not by runuser or su: these stay as parents, and two seconds after a TERM they KILL.
as_job_user() {
  [ "$(id -un)" = "$JOB_USER" ] && exec "$@"
  exec setpriv --reuid "$JOB_USER" --regid "$(id -g "$JOB_USER")" --init-groups -- "$@"
}

# stop_child: TERM, the grace, KILL; answers when nothing of the group lives.
stop_child() {
  local deadline=$((SECONDS + JOB_GRACE))
  termed=1
  signal_child TERM
  while child_lives && [ $SECONDS -lt $deadline ]; do nap 0.2; done
  if child_lives; then
    say "did not end within ${JOB_GRACE}s of TERM: KILL"
    signal_child KILL
  fi
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
  done
  if [ $((uploaded - freed)) -gt "$JOB_LOG_BYTES" ]; then
    fallocate --punch-hole --offset 0 --length "$uploaded" "$log" 2>/dev/null || say 'the disk cannot free a part of the log'
    freed=$uploaded
  fi
}

last_words() { tail -c 8192 "$log" | one_line 200; }

# disk_fault: says that the disk is full, which nobody else could write down.
disk_fault() {
  [ "$(df --output=avail "$STATE" | tail -n 1)" -ge 1024 ] || printf 'a fault of this machine, instance %s: its disk is full; ' "$instance"
}

# hung: neither output nor a new step for the hang timeout.
hung() {
  local size step
  [ "$JOB_HANG_TIMEOUT" -gt 0 ] || return 1
  size=$part:$(stat -c %s "$log")
  if [ "$size" != "${quiet_size:-}" ]; then
    quiet_size=$size quiet_since=$SECONDS
    return 1
  fi
  [ $((SECONDS - quiet_since)) -ge "$JOB_HANG_TIMEOUT" ] || return 1
  step=$(newest_step)
  if [ "$step" != "${quiet_step:-}" ] && [ -n "${quiet_step:-}" ]; then
    quiet_step=$step quiet_since=$SECONDS
    return 1
  fi
  quiet_step=$step
}

# Where it hangs, into its own output: py-spy where it is, else QUIT, which many runtimes answer with their stacks.
show_stacks() {
  local pid
  for pid in $(ps -o pid= -g "$child" 2>/dev/null || echo "$child"); do
    if command -v py-spy >/dev/null; then
      timeout 20 py-spy dump --pid "$pid" >>"$log" 2>&1
    else
      kill -QUIT "$pid" 2>/dev/null
    fi
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

# supervise: until the command has ended, by itself or because the attempt did.
supervise() {
  local looked=$SECONDS sent=$SECONDS stopping=0 first_output='' period=$JOB_LOG_PERIOD
  [ "$slot" = 0-0 ] && [ "$period" -gt 5 ] && period=5
  while kill -0 "$child" 2>/dev/null; do
    tick
    authorize # here, so that what runs in subshells inherits it
    if [ $told = 1 ] && [ $stopping = 0 ]; then
      stopping=1
      end_attempt preempted "slice $slice worker $worker was told to end"
      stop_child
    fi
    if [ -z "$first_output" ] && [ -s "$log" ]; then
      first_output=1
      phase first-output
      report running
    fi
    if [ $((SECONDS - looked)) -ge "$(poll)" ]; then
      looked=$SECONDS
      if [ "$(metadata instance/preempted)" = TRUE ] && [ $preempted = 0 ]; then
        preempted=1
        end_attempt preempted "slice $slice worker $worker is being preempted"
      fi
      if ended; then
        stop_child
      elif hung; then
        say "hangs: no output and no new step for ${JOB_HANG_TIMEOUT}s"
        show_stacks
        end_attempt hang "slice $slice worker $worker said nothing and made no step for ${JOB_HANG_TIMEOUT}s"
        stop_child
      fi
    fi
    if [ $((SECONDS - sent)) -ge "$period" ]; then
      sent=$SECONDS
      upload_log
    fi
  done
  wait "$child"
  code_of_child=$?
  # What the command left behind in its group goes too.
  child_lives && signal_child KILL
  child=''
}

# The marker first, then the log: the others wait for the marker.
mark_exit() {
  local flags=-
  [ "$termed" = 1 ] && flags=t
  [ "$preempted" = 1 ] && flags+=p
  printf 'code=%s\nflags=%s\nseconds=%d\ntext=%s\nphases=%s\n' "$1" "$flags" $((EPOCHSECONDS - ${began_at:-EPOCHSECONDS})) "$2" "$phases" |
    write "$(here)/exit/$slot/$boot~$1~$flags"
}

# --- the verdict -------------------------------------------------------------------------------------------------------------

# exits: "S-W CODE FLAGS", one a line.
exits() { list "$(here)/exit/" | sed -E 's#^([0-9]+-[0-9]+)/[^~]*~([^~]*)~(.*)$#\1 \2 \3#' | sort -u; }

# await_verdict: the leader decides when all have ended, or the silent ones are given up; the others when the leader is silent.
await_verdict() {
  local limit deadline index
  index=$((slice * workers + worker))
  limit=$((JOB_GRACE + 10 * JOB_POLL + 2 * $(poll)))
  [ "$slot" = 0-0 ] || limit=$((limit * 2 + index % 64 * 2))
  deadline=0
  while :; do
    show "$(here)/verdict" >/dev/null && return
    if ended || [ "$slot" = 0-0 ]; then
      if [ "$slot" = 0-0 ] && [ "$(exits | cut -d' ' -f1 | sort -u | grep -c .)" = $((slices * workers)) ]; then
        decide
        continue
      fi
      # Only an end starts the clock: without one the others are simply still at work.
      if [ -n "$end_seen" ]; then
        [ "$deadline" -gt 0 ] || deadline=$((SECONDS + limit))
        if [ $SECONDS -ge "$deadline" ]; then
          decide
          continue
        fi
      fi
    fi
    nap "$(jittered "$(poll)")"
  done
}

# decide: the verdict over this attempt, from its exit markers.
decide() {
  local all missing reason first
  all=$(exits)
  missing=$(missing_slots exit)
  reason=$(field reason <<<"$end_seen")
  first=$(field text <<<"$end_seen")
  if [ "$reason" = stop ]; then
    conclude stopped "$first"
  elif [ "$reason" = preempted ] || grep -q 'p$' <<<"$all"; then
    conclude preempted "${first:-a slice was preempted}"
  elif [ "$reason" = setup ]; then
    conclude setup "$first"
  elif [ -n "$missing" ]; then
    conclude preempted "silent: $missing${first:+; $first}"
  elif [ -z "$reason" ] && ! grep -vq ' 0 ' <<<"$all"; then
    decide_success "$all"
  else
    decide_failure "$all" "${first:-some ended with an error}"
  fi
}

# Exit code 0 everywhere: done by the rule, or a save on TERM that looks like it (MaxText exits 0 then).
decide_success() {
  local target
  case $JOB_DONE_WHEN in
    step:*)
      target=${JOB_DONE_WHEN#step:}
      if [ "$(newest_step)" -ge "$target" ]; then conclude 'done' "step $target is committed"; else not_done "$1" "step $target is not committed"; fi
      ;;
    file:*)
      if object_exists "${JOB_DONE_WHEN#file:}"; then conclude 'done' "${JOB_DONE_WHEN#file:} is there"; else not_done "$1" "${JOB_DONE_WHEN#file:} is not there"; fi
      ;;
    *) if grep -q ' t' <<<"$1"; then not_done "$1" 'it was told to end'; else conclude 'done' 'all ended with 0'; fi ;;
  esac
}

not_done() { if grep -q ' t' <<<"$1"; then conclude preempted "$2, after TERM"; else conclude failed "$2, though all ended with 0"; fi; }

object_exists() {
  local rest=${1#gs://}
  case $1 in
    gs://*) list "${rest#*/}" '' "${rest%%/*}" | grep -q . || names_below "${1%/*}" | grep -qx "${1##*/}" ;;
    *) [ -e "$1" ] ;;
  esac
}

decide_failure() {
  local code
  for code in $JOB_FATAL_CODES; do
    if grep -q " $code " <<<"$1"; then
      conclude give-up "exit code $code is one that trying again does not mend: $2"
      return
    fi
  done
  conclude failed "$2"
}

# conclude VERDICT TEXT: writes the verdict once, with the counts that the next one goes on from. Failures start anew after progress.
conclude() {
  local verdict=$1 before hangs failures stuck setups preemptions step last pause=0
  before=$( ((attempt > 1)) && show "$(printf '%s/attempt/%06d/verdict' "$CTL" $((attempt - 1)))")
  count() { field "$1" <<<"$before" | grep -E '^-?[0-9]+$' || echo "$2"; }
  hangs=$(count hangs 0) failures=$(count failures 0) stuck=$(count stuck 0) setups=$(count setups 0) preemptions=$(count preemptions 0) last=$(count step -1)
  step=$(newest_step)
  if [ "$step" -gt "$last" ]; then failures=0 stuck=0; fi
  if [ "$(field reason <<<"$end_seen")" = hang ]; then hangs=$((hangs + 1)); else hangs=0; fi
  case $verdict in
    preempted) preemptions=$((preemptions + 1)) ;;
    setup)
      setups=$((setups + 1)) pause=$(back_off $setups) verdict=failed
      [ $setups -lt "$JOB_SETUP_TRIES" ] || verdict=give-up
      ;;
    failed)
      failures=$((failures + 1)) stuck=$((stuck + 1)) setups=0 pause=$(back_off $failures)
      if [ $failures -gt "$JOB_MAX_FAILURES" ]; then
        verdict=give-up
      elif [ -n "$JOB_CHECKPOINT_DIR" ] && [ $stuck -ge 3 ]; then
        verdict=give-up
        set -- "$1" "$2; no new committed step in $stuck attempts"
      fi
      ;;
  esac
  end_attempt "$verdict" "$2" # the others may still be at work
  say "verdict: $verdict: $2"
  printf 'verdict=%s\ntext=%s\nstep=%s\nhangs=%d\nfailures=%d\nstuck=%d\nsetups=%d\npreemptions=%d\npause=%d\nby=%s\ntime=%s\n' \
    "$verdict" "$2" "$step" "$hangs" "$failures" "$stuck" "$setups" "$preemptions" "$pause" "$slot" "$(timestamp)" |
    write "$(here)/verdict" once || return
  if [ "$verdict" = failed ] && [ "$hangs" -ge 2 ]; then reset_slices; fi
}

# reset_slices: what hangs twice in a row may be a machine's fault, which only a boot mends; this ends us too.
reset_slices() {
  local file asked=$JOB_TPU role='roles/tpu.admin'
  say 'hung twice in a row: resets all slices'
  file=$(scratch)
  storage "$file" -X POST -H 'Content-Type: application/json' --data '{}' "$JOB_TPU/v2/$JOB_RESOURCE:reset"
  rm -f "$file"
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
  printf '%s\nattempt=%d\n' "$1" "$attempt" | write "$CTL/finished" once || true
  say "the job is over: $(field verdict <<<"$1"): $(field text <<<"$1")"
  report finished
  printf 'time=%s\n' "$(timestamp)" | write "$(here)/closed/$slot"
  [ "$slot" = 0-0 ] && release "$(field verdict <<<"$1")"
  exit 0
}

# release VERDICT: when the policy wants it, after every log is in the bucket or its limit, and only if the resource is whole.
release() {
  local deadline=$((SECONDS + 300)) answer file asked=$JOB_TPU role='roles/tpu.admin'
  case $JOB_RELEASE:$1 in
    always:* | on-success:done) ;;
    *) return 0 ;;
  esac
  while [ -n "$(missing_slots closed)" ] && [ $SECONDS -lt $deadline ]; do nap "$(jittered "$(poll)")"; done
  file=$(scratch)
  storage "$file" "$JOB_TPU/v2/$JOB_RESOURCE" || return 1
  answer=$(tr -d ' \n' <"$file")
  case $answer in
    *'"state":{"state":"ACTIVE"'*) ;;
    *)
      say 'does not release: the resource is not ACTIVE'
      return 1
      ;;
  esac
  if nodes_in_repair; then
    say 'does not release: a slice is being repaired'
    return 1
  fi
  printf 'by=%s\nrequest=%s\n' "$slot" "$(cat /proc/sys/kernel/random/uuid)" | write "$CTL/release" once
  say 'releases the resource'
  storage "$file" -X DELETE "$JOB_TPU/v2/$JOB_RESOURCE?force=true&requestId=$(show "$CTL/release" | field request)"
}

# nodes_in_repair: is any slice of ours in another state than READY?
nodes_in_repair() {
  local file result=1
  file=$(scratch)
  storage "$file" "$JOB_TPU/v2/${JOB_RESOURCE%/queuedResources/*}/nodes?pageSize=1000" || return 0
  # One node an entry: the states stand in the order of the nodes.
  tr -d '\n' <"$file" | sed 's/{ *"name" *:/\n&/g' | grep -F "queuedResources/${JOB_RESOURCE##*/}\"" | grep -qv '"state" *: *"READY"' && result=0
  rm -f "$file"
  return $result
}

# --- all of it ---------------------------------------------------------------------------------------------------------------

# prepare: what every attempt needs and a boot does once. 1, with $reason, when this worker cannot take part.
prepare() {
  reason=''
  environment=("${JOB_ENV[@]}")
  job_user_is_there || {
    reason="the user $JOB_USER cannot be made"
    return 1
  }
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
  child='' termed=0 preempted=0 end_seen='' quiet_size='' quiet_step='' began_at=''
  phase_began=${EPOCHREALTIME/[.,]/}
  case $phases in *code=*) phases='' ;; esac
  if ! prepare; then
    reason=$(disk_fault)$reason
    say "cannot take part: $reason"
    end_attempt setup "slice $slice worker $worker: $reason"
    mark_exit setup "$reason"
  else
    be_ready
    if barrier; then
      phase barrier
      start_command
      report running
      supervise
      reason=$(last_words)
      if [ "$code_of_child" != 0 ]; then
        reason=$(disk_fault)$reason
        end_attempt failed "slice $slice worker $worker ended with $code_of_child: $reason"
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
find_attempt
while :; do
  one_attempt
  # Somebody may have gone further while we waited.
  find_attempt
done
