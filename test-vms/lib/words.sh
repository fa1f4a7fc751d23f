# Sourced: the words that scenarios are written in.

checks=0
failed=0
checked=0

now() { date +%s%N; }
since() { local d=$((($(date +%s%N) - $1) / 100000000)); printf '%d.%d' $((d / 10)) $((d % 10)); }
say() { printf '%s\n' "$*" >&2; }
progress() { if [ -t 2 ]; then printf '\r\033[K... %s' "$*" >&2; fi; }
progress_end() { if [ -t 2 ]; then printf '\r\033[K%s\n' "$*" >&2; else printf '%s\n' "$*" >&2; fi; }

# on NODE COMMAND...: the words are joined to a bash script that is run there as root; prints what it prints, returns its code.
on() {
  local n=$1 script line='' last='' fd code more='' LC_ALL=C
  shift
  script="$*"
  { exec {fd}<>"/dev/tcp/169.254.77.1$n/77"; } 2>/dev/null || return 255
  { printf '%s\n%s' "${#script}" "$script" >&"$fd"; } 2>/dev/null || { exec {fd}>&-; return 255; }
  code=255
  while IFS= read -r line <&"$fd" || [ -n "$line" ]; do
    case "$line" in "= "[0-9]*)
      code=${line#= }
      # The line end before it is not the command's.
      [ -z "$more" ] || [ -z "$last" ] || printf '%s\n' "$last"
      break ;;
    esac
    [ -z "$more" ] || printf '%s\n' "$last"
    more=yes
    last=$line
  done 2>/dev/null
  exec {fd}>&-
  return "$code"
}

# each COMMAND...: on all nodes at the same time.
each() {
  local n pids=() code=0
  for n in $(seq "$NODES"); do on "$n" "$@" & pids+=($!); done
  for n in "${pids[@]}"; do wait "$n" || code=$?; done
  return "$code"
}

booted() { # node
  # To start what is starting is to wait for it.
  soon "$([ "$KERNEL" = uml ] && echo 60 || echo 240)" on "$1" 'systemctl start basic.target' >/dev/null 2>&1
}

soon() { # seconds, command...: until it succeeds
  local end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# With the time since the last one.
report_as() { # ok|WRONG, text
  checks=$((checks + 1))
  [ "$checked" != 0 ] || checked=$(now)
  printf '%-5s %5s s  %s\n' "$1" "$(since "$checked")" "$2"
  checked=$(now)
}
wrong() {
  failed=$((failed + 1))
  report_as WRONG "$*"
}

# check WHAT COMMAND...: what it prints is shown when it fails.
check() {
  local what=$1 output
  if [ -n "$aside" ]; then
    (aside='' checked=$(now) && check "$@") >"$aside/${#asides[@]}" 2>&1 &
    asides+=($!)
    return
  fi
  shift
  if output=$("$@" 2>&1); then
    report_as ok "$what"
  else
    wrong "$what"
    printf '      %s\n' "$*"
    printf '%s\n' "$output" | tail -n 12 | sed 's/^/      /'
    return 1
  fi
}

# together ... apart: the checks in between run at the same time, each in a process of its own. They are reported in their order, with their own
# time.
aside=
asides=()
together() { aside=$(mktemp -d -p "$room"); }
apart() {
  local i
  for i in "${!asides[@]}"; do
    wait "${asides[i]}" || failed=$((failed + 1))
    checks=$((checks + 1))
    cat "$aside/$i"
  done
  rm -rf "$aside"
  aside='' asides=() checked=$(now)
}

is() { [ "$1" = "$2" ] || { echo "got: $1"; echo "not: $2"; return 1; }; }
not() { ! "$@"; }

# Who asks: "outside" is the bed itself, 192.0.2.1 and 2001:db8::1; "node N"; "pod N".
talk() { "$BED/node/usr/lib/bed/talk" "$@"; }
ask_from() { # outside|node-N|pod-N, tcp|udp, address, port, count
  local from=$1
  shift
  case "$from" in
    outside) talk ask "$@" ;;
    node-*) on "${from#node-}" "ask - $*" ;;
    pod-*) on "${from#pod-}" "ask pod $*" ;;
  esac
}

# What is answered where every node has an endpoint.
everyone=()
for n in $(seq "$NODES"); do everyone+=("node-$n .*"); done

# answers FROM PROTO ADDRESS PORT EXPECTED...: of twelve conversations for each expected answer (a pattern) none fails, and each of those comes,
# and no other. That one does not come by mere chance happens once in a hundred thousand times, or less.
answers() {
  local from=$1 proto=$2 address=$3 port=$4 got line pattern known
  shift 4
  got=$(ask_from "$from" "$proto" "$address" "$port" $((12 * $#)) | sort | uniq -c | sed 's/^ *[0-9]* //')
  for pattern in "$@"; do
    grep -qE "^$pattern\$" <<<"$got" || { printf 'no answer like: %s\ngot:\n%s\n' "$pattern" "$got"; return 1; }
  done
  while IFS= read -r line; do
    known=
    for pattern in "$@"; do ! grep -qE "^$pattern\$" <<<"$line" || known=yes; done
    [ -n "$known" ] || { printf 'unexpected answer: %s\n' "$line"; return 1; }
  done <<<"$got"
}
refused() { # from, proto, address, port
  is "$(ask_from "$@" 1)" -
}

# Clients that never stop, outside or on a node; no_loss says whether all they asked was answered, and that they go on asking.
clients() { # FROM TARGET...
  local from=$1
  shift
  printf '%s\n' "$from" >>"$room/clients"
  case "$from" in
    outside)
      rm -f "$room"/loop*
      talk loop "$room/loop" "$@" & ;;
    node-*) on "${from#node-}" "rm -f /run/loop*; setsid /usr/lib/bed/talk loop /run/loop $* >/dev/null 2>&1 &" ;;
    pod-*) on "${from#pod-}" "rm -f /run/loop*; setsid ip netns exec pod /usr/lib/bed/talk loop /run/loop $* >/dev/null 2>&1 &" ;;
  esac
  check "clients from $from are served" soon 30 asked "$from" 20
}
counted() { # from: "GOOD BAD"
  case "$1" in outside) cat "$room/loop" 2>/dev/null ;; *) on "${1##*-}" 'cat /run/loop 2>/dev/null' ;; esac
}
asked() { [ "$(counted "$1" | cut -d' ' -f1)" -ge "$2" ] 2>/dev/null; }
no_loss() { # from, "new": only conversations that began then count, not the connections that stay
  local good
  good=$(counted "$1" | cut -d' ' -f1)
  soon 20 asked "$1" "$((good + 8))" || { echo "clients from $1 are stuck"; counted "$1"; return 1; }
  case "$1" in outside) head -n 5 "$room/loop.log" 2>/dev/null ;; *) on "${1##*-}" 'head -n 5 /run/loop.log 2>/dev/null' ;; esac
  if [ "${2:-}" = new ]; then
    case "$1" in outside) ! grep -s 'no answer from' "$room/loop.log" ;; *) on "${1##*-}" "! grep -s 'no answer from' /run/loop.log" ;; esac
  else
    is "$(counted "$1" | cut -d' ' -f2)" 0
  fi
}
stop_clients() {
  local from
  [ -e "$room/clients" ] || return 0
  while read -r from; do
    case "$from" in outside) touch "$room/loop.stop" ;; *) on "${from##*-}" 'touch /run/loop.stop' || true ;; esac
  done <"$room/clients"
  rm -f "$room/clients"
}

# The daemon on a node.
shown() { on "$1" "systemctl show -P $2 dualstackd"; }
ready() { on "$1" 'systemctl is-active --quiet dualstackd'; }
status_says() { on "$1" 'systemctl show -P StatusText dualstackd' | grep -qF -- "$2"; }
configure() { # node, sed script for its configuration
  on "$1" "sed -i '$2' /etc/dualstackd/config.yaml"
}

# Are there rules of that mode on the node.
rules_of() { on "$1" "/usr/lib/bed/modes | grep -qx $2"; } # node, mode

# Every scenario starts from nodes without any Service, rule or flow of another one, in the mode that is asked for, with the daemon running.
fresh_nodes() {
  local n
  # One that did not come back is no reason for all that follows to go wrong.
  for n in $(seq "$NODES"); do on "$n" true || reboot_node "$n" "$MODE"; done
  if ! each "/usr/lib/bed/fresh $MODE"; then
    wrong "the nodes are not fresh, or dualstackd does not start on them"
    each 'systemctl status --no-pager -n 20 dualstackd'
    return 1
  fi
}
