# Sourced: fetches single packages of any Debian suite from the mirror that this machine's apt already uses, through an apt of its own:
# nothing is installed, and the machine's lists stay as they are. Every failure is printed, and returned.

# debian_mirrors: the mirrors of Debian among the sources configured here, a line each: those with a main component of our own release,
# Debian's name first. A wrong one is found out by its signature.
debian_mirrors() {
  local codename mirrors
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirrors=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v c="$codename" '$3 == "main" && ($2 == c || $2 ~ /^(old)?stable$|^testing$|^unstable$|^sid$/) { print ($1 ~ /\/debian\/?$/ ? 0 : 1), $1 }' |
    sort -u | cut -d' ' -f2-)
  mirrors="${DEBIAN_MIRROR:-$mirrors}"
  if [ -z "$mirrors" ]; then
    echo "$0: apt here has no source for Debian's suite '$codename' with component main; name one in DEBIAN_MIRROR" >&2
    return 2
  fi
  printf '%s\n' "$mirrors"
}

# debian_fetch ROOM SUITE PACKAGE: leaves PACKAGE's newest .deb in the folder ROOM, and nothing else.
debian_fetch() {
  rm -rf "$1"
  debian_get "$1" "$2" deb "$3"
}

# debian_source SUITE PACKAGE: leaves PACKAGE's newest source in the current folder, as its authors made it: without Debian's patches.
debian_source() {
  debian_get . "$1" deb-src "$2"
}

debian_get() { # room, suite, deb or deb-src, package
  local room=$1 suite=$2 kind=$3 package=$4 tool mirrors mirror key found= own
  for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "$0: needs $tool to fetch $package of Debian $suite" >&2; return 2; }
  done

  mirrors=$(debian_mirrors) || return 2
  for key in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do [ -r "$key" ] && break; done

  mkdir -p "$room"
  room=$(readlink -f "$room")
  mkdir -p "$room"/apt/{lists/partial,archives/partial,parts}
  own=(
    -qq
    -o "Dir::Etc::sourcelist=$room/apt/sources.list" -o "Dir::Etc::sourceparts=$room/apt/parts"
    -o "Dir::State::lists=$room/apt/lists" -o "Dir::Cache=$room/apt" -o "Dir::State::status=/dev/null"
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false
    -o "APT::Sandbox::User=$(id -un)"
  )
  for mirror in $mirrors; do
    echo "$kind [signed-by=$key] $mirror $suite main" >"$room/apt/sources.list"
    apt-get "${own[@]}" -o APT::Update::Error-Mode=any update && found=$mirror && break
  done
  [ -n "$found" ] || { echo "$0: no source of apt's has the suite $suite" >&2; return 2; }
  case "$kind" in
    deb) (cd "$room" && apt-get "${own[@]}" download "$package") || return 2 ;;
    deb-src)
      (
        cd "$room"
        apt-get "${own[@]}" source --download-only "$package" >/dev/null
        tar -xf "$package"_*.orig.tar.*
      ) || return 2
      ;;
  esac
  rm -rf "$room/apt"
}
