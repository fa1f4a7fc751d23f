/* The first process of a pod: waits for the end, and buries orphans. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int ignored) {
  (void)ignored;
  _exit(0);
}

static void bury(int ignored) {
  (void)ignored;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  signal(SIGINT, end);
  signal(SIGTERM, end);
  signal(SIGCHLD, bury);
  for (;;) {
    pause();
  }
}
