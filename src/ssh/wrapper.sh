# shellcheck shell=sh
# What runs on a worker around the user's command:
#
#   exec sh -c '<this file>' slipway ENV_SIZE TEXT_SIZE MODE KILL INPUT_SIZE
#
# On stdin come ENV_SIZE bytes of export lines, TEXT_SIZE bytes of the command, INPUT_SIZE bytes that the command reads from
# its own stdin, and then, for as long as the client is there, lines that name a signal for the command's process group, and
# BYE once the client has seen the end of both streams. MODE says how the text runs: "arg" as the login shell's -c argument,
# "file" as a file that the login shell reads, "exec" as a file with a #! line of its own. With KILL=1 the end of stdin, which
# is the end of the client, ends the process group.
#
# This shell stays until BYE: sshd closes stdin as soon as it is gone, and then no signal and no end of the client would
# reach what the command left behind with our stdout in its hands. It holds both streams until the command has ended, so no
# BYE comes before that.
#
# The command's end travels so that 0 never does, because libssh2 <= 1.11.1 reports 0 when no status came at all:
#   exit 0 -> 255, exit 255 -> death by PROF (a signal that ssh cannot name), death by a signal that ssh can name -> the
#   same signal, all else as it is. ssh/remote_command.cpp reads it back.
#
# CMake drops these comments and joins the lines with blanks, so that the text is one word in every login shell (csh and
# fish too): no single quote, no backslash, no line end that means something, and an exclamation mark only before a blank,
# where csh leaves it alone. Variables carry a prefix because one that is already exported would reach the command.

sw_shell=${SHELL:-/bin/sh};
sw_env=.;
sw_file=;
sw_text=;
sw_kill=$4;
sw_input=$5;
exec 3<&0 4>&1 5>&2 </dev/null;

# Signals for the group are the command's affair; this shell outlives them to tell how it ended.
trap : TERM INT HUP;

# The dot keeps the trailing newlines, which $( ) would drop. A text that did not come whole must not run.
[ "$1" = 0 ] || sw_env=$(head -c "$1" <&3; echo .);
if [ "$3" = arg ]; then
  sw_text=$(head -c "$2" <&3; echo .);
  sw_size=$(printf %s "$sw_env$sw_text" | wc -c);
else
  sw_file=$(mktemp "${TMPDIR:-/tmp}/slipway.XXXXXX") && head -c "$2" <&3 >"$sw_file" && chmod 700 "$sw_file";
  sw_size=$(printf %s "$sw_env." | cat - "$sw_file" | wc -c);
fi;
if [ "$sw_size" -ne "$(($1 + $2 + 2))" ]; then
  echo "slipway: the command could not be taken in whole" >&2;
  [ -z "$sw_file" ] || rm -f "$sw_file";
  exit 125;
fi;

# The input waits in a file that has no name any more when the command starts. Behind a pipe it would stand in the way of
# the signals that follow it.
exec 6</dev/null;
if [ "$sw_input" -gt 0 ]; then
  sw_in=$(mktemp "${TMPDIR:-/tmp}/slipway.XXXXXX") && head -c "$sw_input" <&3 >"$sw_in";
  sw_size=$(wc -c <"$sw_in");
  exec 6<"$sw_in";
  rm -f "$sw_in";
  if [ "$sw_size" -ne "$sw_input" ]; then
    echo "slipway: the input of the command could not be taken in whole" >&2;
    [ -z "$sw_file" ] || rm -f "$sw_file";
    exit 125;
  fi;
fi;
# A command is no option of the shell, whatever it begins with. Not every shell knows -- there.
case $sw_text in
  [-+]*) sw_text=" $sw_text" ;;
esac;
case $3 in
  arg) set -- "$sw_shell" -c "${sw_text%.}" ;;
  file) set -- "$sw_shell" "$sw_file" ;;
  *) set -- "$sw_file" ;;
esac;

# The watchdog. It ends with BYE; but what has been told to stop is ended first, whatever it holds. Those of the group that
# are always there are this shell, the watchdog and the subshell that counts (which becomes grep, in most shells).
(
  trap "" TERM INT HUP;
  sw_told=0;
  while read -r sw_line; do
    case $sw_line in
      INT | TERM) sw_told=1; kill -s "$sw_line" 0 ;;
      KILL) rm -f "$sw_file"; kill -s KILL 0 ;;
      BYE) sw_kill=$sw_told; break ;;
    esac;
  done;
  if [ "$sw_kill" = 1 ]; then
    kill -s TERM 0;
    for sw_line in 1 2 3 4 5; do
      # shellcheck disable=SC2046  # names of files in /proc
      set -- $(grep -ls "^[0-9]* (.*) [^ZX] [0-9]* $$ " /proc/[0-9]*/stat);
      case $# in 2 | 3) exit ;; esac;
      sleep 1;
    done;
    rm -f "$sw_file";
    kill -s KILL 0;
  fi
) <&3 >/dev/null 2>&1 3<&- 4>&- 5>&- 6<&- &
sw_watch=$! ;

# The command runs in the foreground of a subshell of its own, with the real stdout and stderr. What that subshell itself
# says is caught: dash and busybox name a signal that ended their child ("Killed") and say nothing about exit 137. They
# are silent on INT and PIPE, so 130 and 141 are taken for these. bash is silent on all under -c: where it is sh, the
# others travel as 128+n. The inner subshell carries the redirections, because dash would say it through them.
sw_said=$( {
  trap : TERM INT HUP;
  eval "${sw_env%.}" || exit 125;
  ( exec <&6 >&4 2>&5 3<&- 4>&- 5>&- 6<&-; exec "$@" );
  exit "$?";
} 2>&1 );
sw_code=$?;

exec >/dev/null 2>&1 4>&-;
[ -z "$sw_file" ] || rm -f "$sw_file";
[ "$sw_code" -gt 128 ] || [ -z "$sw_said" ] || echo "$sw_said" >&5;
exec 5>&-;

# A signal for the group cuts a wait short.
while kill -0 "$sw_watch" && wait "$sw_watch"; [ "$?" -gt 128 ]; do :; done;

# In this order: bash makes an exit code of the INT below when a substitution follows an INT that it trapped.
trap - TERM INT HUP;
# shellcheck disable=SC3045  # dash, bash and busybox all have it, and without it a core file is all that goes wrong
ulimit -c 0;
sw_signal=;
if [ "$sw_code" -gt 128 ]; then
  case $sw_code,$sw_said in
    130, | 141, | *,?*) sw_signal=$(kill -l "$sw_code") ;;
  esac;
fi;
case $sw_code,$sw_signal in
  0,) exit 255 ;;
  255,*) kill -s PROF "$$"; exit 254 ;;
  *,HUP | *,INT | *,QUIT | *,ILL | *,ABRT | *,FPE | *,KILL | *,USR1 | *,SEGV | *,USR2 | *,PIPE | *,ALRM | *,TERM)
    kill -s "$sw_signal" "$$" ;;
esac;
exit "$sw_code";
