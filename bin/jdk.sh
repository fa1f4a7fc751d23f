# Finds JDK 25 and sets JAVA_HOME; sourced by the other scripts. Ends the script in one line when there is none.

is_jdk25() { [ -x "$1/bin/javac" ] && "$1/bin/javac" -version 2>&1 | grep -q '^javac 25'; }

find_jdk25() {
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*25* /opt/*jdk*25* "${HOME:-/root}"/.sdkman/candidates/java/25*; do
    if [ -n "$home" ] && is_jdk25 "$home"; then
      JAVA_HOME=$home
      export JAVA_HOME
      return 0
    fi
  done
  echo "dualstackd needs a JDK 25: install temurin-25-jdk or openjdk-25-jdk-headless, set JAVA_HOME to one, or run: sudo bin/build-tools" >&2
  exit 2
}
