package io.dualstackd.agent.e2e;

import io.dualstackd.agent.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the daemon's JVM is started: as {@code bin/dualstackd} does it.
 *
 * @param flags of the JVM
 */
record Launch(List<String> flags, String classPath) {
    private static final Path LAUNCHER = Path.of("..", "bin", "dualstackd");

    /** The classes under test, as they lie on the test's own class path. */
    static Launch usual() throws IOException {
        String script = Files.readString(LAUNCHER);
        String invocation = script.substring(script.indexOf("/bin/java\"") + "/bin/java\"".length());
        List<String> flags = Arrays.stream(
                        invocation.substring(0, invocation.indexOf("-jar")).split("[\\s\\\\]+", -1))
                .filter(word -> word.startsWith("-") && !word.contains("$"))
                .toList();
        return new Launch(flags, System.getProperty("java.class.path"));
    }

    Launch with(String flag) {
        List<String> more = new ArrayList<>(flags);
        more.add(flag);
        return new Launch(more, classPath);
    }

    Launch with(Path jars) {
        return new Launch(flags, jars.toString());
    }

    /** @throws IllegalArgumentException for a daemon that would write into folders of the host */
    List<String> command(List<String> arguments) {
        for (String needed : List.of("--state-dir", "--admin-socket")) {
            if (arguments.getFirst().equals("run")
                    && !arguments.contains("--help")
                    && arguments.stream().noneMatch(word -> word.equals(needed) || word.startsWith(needed + "="))) {
                throw new IllegalArgumentException(arguments + " lacks " + needed + ": the default is the host's own");
            }
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(arguments);
        return command;
    }
}
