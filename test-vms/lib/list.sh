# Sourced: what scenarios say about themselves in their first lines: "# shows: TEXT", "# nodes: AT LEAST", "# modes: MODE..." or none for all.

field() { # scenario, key
  sed -n "s/^# $2: //p" "$BED/scenarios/$1" | head -n 1
}

scenario_names() { # those of the list, in its order
  sed '/^#/d; /^$/d' "$BED/scenarios/LIST"
}

list_scenarios() {
  local name modes
  for name in $(scenario_names); do
    modes=$(field "$name" modes)
    printf '%-16s %s node%s, %s\n' "$name" "$(field "$name" nodes)" "$([ "$(field "$name" nodes)" = 1 ] || echo s)" "${modes:-all modes}"
    printf '%-16s %s\n' '' "$(field "$name" shows)"
  done
}

suits() { # scenario, mode, nodes
  local modes
  modes=$(field "$1" modes)
  [ "$(field "$1" nodes)" -le "$3" ] || return 1
  [ -z "$modes" ] || case " $modes " in *" $2 "*) ;; *) return 1 ;; esac
}
