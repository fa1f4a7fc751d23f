package io.dualstackd.dataplane.cases;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs the iptables tools in network namespaces. */
final class Tools {
    private Tools() {}

    /** What {@code PROGRAM-save} lists after {@code PROGRAM-restore} took {@code rules}. */
    static String restoreAndSave(String program, String rules) {
        // The legacy tools refuse to run beside each other, by a lock in /run; so each gets a /run of its own.
        String script = "mount -t tmpfs run /run && " + program + "-restore && " + program + "-save";
        return run(rules, "unshare", "-nm", "sh", "-c", script);
    }

    /**
     * What a program prints, errors included.
     *
     * @throws AssertionError when it fails
     */
    static String run(String input, String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
            Process process = builder.start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new AssertionError(List.of(command) + " ended with " + code + ":\n" + out + "\n" + input);
            }
            return out;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + List.of(command) + " ran", e);
        }
    }

    /** A listing without comment lines and counters, tables by name: the tools print them in an order of their own. */
    static String normal(String listing) {
        List<List<String>> tables = new ArrayList<>();
        listing.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            if (line.startsWith("*")) {
                tables.add(new ArrayList<>());
            }
            tables.getLast().add(line.replaceAll("\\[\\d+:\\d+]$", "[0:0]"));
        });
        return tables.stream()
                .sorted(Comparator.comparing(List::getFirst))
                .flatMap(List::stream)
                .flatMap(line -> Stream.of(line, "\n"))
                .collect(joining());
    }
}
