package io.dualstackd.agent.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The editor of the person at the terminal. The command {@code edit} starts it as a child process, which no other class of the command line
 * and nothing in the daemon does.
 *
 * @param command for {@code /bin/sh}; may have arguments
 */
record Editor(String command) {
    private static final List<String> VARIABLES = List.of("DUALSTACKD_EDITOR", "KUBE_EDITOR", "VISUAL", "EDITOR");
    private static final String FALLBACK = "vi";
    /** Else the shell ends at Ctrl-C, whatever the editor makes of it. The editor does not inherit a trap that runs a command. */
    private static final String SHELL_STAYS = "trap : INT; ";

    private static final String INTERRUPT = "INT";

    /** The editor that the environment names; {@code vi} when it names none. */
    static Editor of(Terminal terminal) {
        return new Editor(Stream.concat(VARIABLES.stream().map(terminal::variable), Stream.of(FALLBACK))
                .filter(value -> !value.isBlank())
                .findFirst()
                .orElseThrow());
    }

    /**
     * Opens a file on the terminal of this process and waits until the editor ends.
     *
     * @return its exit status
     */
    int open(Path file) throws IOException {
        Object before = onInterrupt(nothing());
        Process process = new ProcessBuilder("/bin/sh", "-c", SHELL_STAYS + command + " \"$1\"", "sh", file.toString())
                .inheritIO()
                .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            onInterrupt(before);
        }
    }

    /**
     * Ctrl-C on the terminal reaches this process as well as the editor, for which it may be a usual key. The JDK has no other API for
     * signals than this one, whose use the compiler warns of.
     *
     * @param handler what handles it from now on
     * @return what has handled it so far
     */
    private static Object onInterrupt(Object handler) throws IOException {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Object interrupt = signal.getConstructor(String.class).newInstance(INTERRUPT);
            return signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
                    .invoke(null, interrupt, handler);
        } catch (ReflectiveOperationException e) {
            throw new IOException("Ctrl-C cannot be passed to the editor: " + e, e);
        }
    }

    /** A handler that does nothing. A signal that is ignored instead would also be ignored by the editor. */
    private static Object nothing() throws IOException {
        try {
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            return Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, given) -> null);
        } catch (ClassNotFoundException e) {
            throw new IOException("Ctrl-C cannot be passed to the editor: " + e, e);
        }
    }
}
