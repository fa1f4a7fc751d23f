package io.dualstackd.bench.measure;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs measurements in a JVM of their own, with the flags of this one, which are the daemon's. */
public final class FreshJvm {
    private FreshJvm() {}

    /** Returns the program and its flags. */
    public static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        return command;
    }

    /**
     * Runs a measurement until its end; its standard error is that of this process.
     *
     * @return its standard output
     */
    public static String measure(String what, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = command();
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "io.dualstackd.bench.Bench", "child", what));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(new File("/dev/null"))
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("the measurement " + what + " " + arguments + " ended with " + code);
        }
        return out;
    }
}
