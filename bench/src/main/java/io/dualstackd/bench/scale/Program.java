package io.dualstackd.bench.scale;

import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An installed program and its arguments. */
record Program(Path path, List<String> arguments) {
    /** Searches the directories of administrators' programs. */
    static Optional<Program> find(String name, String... arguments) {
        return Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/usr/local/sbin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(path -> new Program(path, List.of(arguments)));
    }

    /** Returns the same program with other arguments. */
    Program with(String... otherArguments) {
        return new Program(path, List.of(otherArguments));
    }

    /** Runs it in a namespace, and returns the time from its start to its end. */
    Span run(NetNs ns, String input) throws Exception {
        byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
        return ns.call(() -> {
            long start = System.nanoTime();
            String ignored = talk(bytes);
            return Span.since(start);
        });
    }

    /** Runs it in a namespace, and returns its output. */
    String output(NetNs ns) throws Exception {
        return ns.call(() -> talk(new byte[0]));
    }

    /** Runs it in the namespace of the calling thread. */
    private String talk(byte[] input) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(path.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(command + " ended with " + code + ": "
                    + output.lines().limit(5).toList());
        }
        return output;
    }
}
