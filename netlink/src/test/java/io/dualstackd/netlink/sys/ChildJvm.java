package io.dualstackd.netlink.sys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class in a JVM of its own, for what cannot be tried in this one. */
public final class ChildJvm {
    private static final List<String> USUAL =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private ChildJvm() {}

    /** With the options every JVM of ours gets, under a command such as {@code strace} (empty for none). */
    public static String run(List<String> under, List<String> options, Class<?> main) throws Exception {
        List<String> all = new ArrayList<>(USUAL);
        all.addAll(options);
        return runPlain(under, all, main);
    }

    /** With these options only. Returns what it prints on both streams; fails when it does not end with 0. */
    static String runPlain(List<String> under, List<String> options, Class<?> main) throws Exception {
        List<String> command = new ArrayList<>(under);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The quickest JVM to start.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new IOException(command + " ended with " + child.exitValue() + ":\n" + output);
        }
        return output;
    }
}
