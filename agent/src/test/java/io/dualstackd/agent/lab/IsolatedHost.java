package io.dualstackd.agent.lab;

import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A network namespace with mounts and processes of its own, where {@code /run} is new and {@code /var/lib/cni}, whose place libcni does not
 * let anything change, is empty. Nothing of it is made on this machine: {@code /var/lib} is a folder of links to what is really there.
 *
 * <p>Its first process waits for the end of its input, which this JVM holds open: when the JVM goes, even by SIGKILL, that process
 * ends, and the kernel ends all others in there and takes the mounts away.
 */
public final class IsolatedHost implements AutoCloseable {
    /** Of a shell; it prints {@code ready}. */
    static final String FIRST_PROCESS = """
            mount -t tmpfs lab /run && mkdir /run/lib && mount --rbind /var/lib /run/lib && mount -t tmpfs lab /var/lib &&
            ln -s /run/lib/* /var/lib && rm -f /var/lib/cni && mkdir /var/lib/cni && echo ready && read -r forever
            """;

    private final Process outer;
    private final long first;

    private IsolatedHost(Process outer, long first) {
        this.outer = outer;
        this.first = first;
    }

    /** Around a namespace, which stays the caller's. */
    public static IsolatedHost around(NetNs ns) throws IOException {
        String net = "--net=/proc/" + ProcessHandle.current().pid() + "/fd/"
                + ns.fd().number();
        // bash, because a first process must bury orphans; unshare's own flag ends it when unshare is killed.
        Process outer = new ProcessBuilder(
                        "nsenter",
                        net,
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        "bash",
                        "-c",
                        FIRST_PROCESS)
                .redirectErrorStream(true)
                .start();
        String line = outer.inputReader(StandardCharsets.UTF_8).readLine();
        if (!"ready".equals(line)) {
            outer.destroyForcibly();
            throw new IOException("the namespaces were not made: " + line);
        }
        long first = outer.toHandle().children().findFirst().orElseThrow().pid();
        return new IsolatedHost(outer, first);
    }

    /** How a program is started in here; the program itself is the only child of the process this starts. */
    public ProcessBuilder command(List<String> command) {
        List<String> inside =
                new ArrayList<>(List.of("nsenter", "--target=" + first, "--mount", "--pid", "--net", "--wd=/"));
        inside.addAll(command);
        return new ProcessBuilder(inside);
    }

    /**
     * Runs a program to its end.
     *
     * @throws IOException with its output when it fails
     */
    public String run(String... command) throws Exception {
        Process process = command(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " says: " + output);
        }
        return output;
    }

    /** What this machine calls the process that is {@code inside} in here. */
    public OptionalLong pidOutside(long inside) throws IOException {
        // A process has a name in its own namespace of processes and in each around it, the outermost first.
        int depth = names(first).size();
        try (Stream<ProcessHandle> all = ProcessHandle.of(first).orElseThrow().descendants()) {
            return all.mapToLong(ProcessHandle::pid)
                    .filter(pid -> {
                        List<Long> names = names(pid);
                        return names.size() >= depth && names.get(depth - 1) == inside;
                    })
                    .findFirst();
        }
    }

    private static List<Long> names(long pid) {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", Long.toString(pid), "status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("NSpid:"))
                    .flatMap(line -> Stream.of(line.split("\t", -1)).skip(1))
                    .map(Long::valueOf)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            // Gone meanwhile.
            return List.of();
        }
    }

    /** Ends everything in here, and returns when it has ended. */
    @Override
    public void close() throws InterruptedException {
        ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
        outer.waitFor();
    }
}
