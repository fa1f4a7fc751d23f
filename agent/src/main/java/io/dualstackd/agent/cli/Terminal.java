package io.dualstackd.agent.cli;

import io.dualstackd.netlink.sys.TerminalSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The environment of a command: its variables, and the terminal it prints to, if there is one.
 *
 * @param environment the variables of the process
 * @param screen whether a person reads its standard output on a terminal
 */
public record Terminal(Map<String, String> environment, boolean screen) {
    /** Standard output, as the kernel names it. */
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");

    public Terminal {
        environment = Map.copyOf(environment);
    }

    /** One whose output is read by a program. */
    public Terminal(Map<String, String> environment) {
        this(environment, false);
    }

    /**
     * The terminal of this process.
     *
     * @param standard whether output goes to the standard output of the process
     */
    static Terminal ofProcess(boolean standard) {
        return new Terminal(System.getenv(), standard && isTerminal());
    }

    /** A terminal has one of these names. Unlike the JDK's console, this loads nothing and does not look at the input. */
    private static boolean isTerminal() {
        try {
            String name = Files.readSymbolicLink(OUTPUT).toString();
            return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether output may have colours (no-color.org). */
    boolean hasColours() {
        return screen && variable("NO_COLOR").isEmpty() && !variable("TERM").equals("dumb");
    }

    /** The number of lines: as the terminal says; empty when output is no terminal's. */
    OptionalInt rows() {
        return screen ? TerminalSize.rows(1) : OptionalInt.empty();
    }

    /**
     * The number of columns: as the variable {@code COLUMNS} says, or as the terminal does; empty when output is no terminal's, or when none of
     * them says it. The first answer of a terminal loads the libc, so this is asked only for long lines.
     */
    OptionalInt columns() {
        String columns = variable("COLUMNS");
        if (columns.matches("[1-9][0-9]{0,4}")) {
            return OptionalInt.of(Integer.parseInt(columns));
        }
        return screen ? TerminalSize.columns(1) : OptionalInt.empty();
    }

    /** The value of a variable; empty when it is not set. */
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
