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
 * @param piped whether standard output goes to another process, which may stop reading at any time
 */
public record Terminal(Map<String, String> environment, boolean screen, boolean piped) {
    /** Standard output, as the kernel names it. */
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");

    public Terminal {
        environment = Map.copyOf(environment);
    }

    /** One whose output is read by a program. */
    public Terminal(Map<String, String> environment) {
        this(environment, false);
    }

    /** One whose output does not go to another process. */
    public Terminal(Map<String, String> environment, boolean screen) {
        this(environment, screen, false);
    }

    /**
     * The terminal of this process.
     *
     * @param standard whether output goes to the standard output of the process
     */
    static Terminal ofProcess(boolean standard) {
        String name = standard ? nameOfOutput() : "";
        return new Terminal(System.getenv(), isTerminal(name), name.startsWith("pipe:") || name.startsWith("socket:"));
    }

    /** A terminal has one of these names. Unlike the JDK's console, this loads nothing and does not look at the input. */
    private static boolean isTerminal(String name) {
        return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
    }

    private static String nameOfOutput() {
        try {
            return Files.readSymbolicLink(OUTPUT).toString();
        } catch (IOException e) {
            return "";
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
