package io.dualstackd.bench.daemon;

import io.dualstackd.bench.measure.FreshJvm;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Resident;
import io.dualstackd.bench.measure.ThreadTimes;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A running daemon, and its log output. */
public final class DaemonUnderTest implements AutoCloseable {
    private static final Pattern IN_FORCE = Pattern.compile(
            " (in force|repaired what others changed) family=(\\S+) .* messages=(\\d+) .* ms=([0-9.]+)");
    private static final long TIMEOUT_SECONDS = 120;

    private final Process process;
    private final long started = System.nanoTime();
    private final BlockingQueue<InForce> reports = new LinkedBlockingQueue<>();

    DaemonUnderTest(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().name("log").start(this::listen);
    }

    /**
     * The log record that one family is in force.
     *
     * @param nanos when the record was read
     * @param messages sent to the kernel
     * @param passMillis duration of the sync as logged by the daemon, from the change in its memory to the kernel's acknowledgement
     * @param repaired the daemon took the change for an external change
     */
    public record InForce(String family, long nanos, int messages, double passMillis, boolean repaired) {
        @Override
        public String toString() {
            return String.format("%s %.1f ms, %,d messages", family, passMillis, messages);
        }
    }

    /** @param more additional flags */
    static DaemonUnderTest start(NetNs ns, Mode mode, Folder folder, Path scratch, List<String> more) throws Exception {
        List<String> flags = new ArrayList<>(List.of("--standalone", "--manifests=" + folder.path()));
        flags.addAll(more);
        return start(ns, mode, scratch, flags);
    }

    /** Starts a daemon in a cluster whose API server a kubeconfig names. */
    public static DaemonUnderTest inCluster(NetNs ns, Mode mode, Path kubeconfig, Path scratch) throws Exception {
        return start(ns, mode, scratch, List.of("--kubeconfig=" + kubeconfig));
    }

    private static DaemonUnderTest start(NetNs ns, Mode mode, Path scratch, List<String> more) throws Exception {
        List<String> command = new ArrayList<>(program());
        command.addAll(List.of(
                "run",
                "--proxy-mode=" + mode,
                "--hostname-override=node-1",
                "--cluster-cidr=11.0.0.0/8,fd00:10:244::/48",
                "--conntrack-max-per-core=0",
                "--state-dir=" + scratch.resolve("state"),
                "--admin-socket=" + scratch.resolve("admin.sock")));
        command.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        return new DaemonUnderTest(ns.call(builder::start));
    }

    /**
     * Returns the command: the installed program, if requested; else the jar of this checkout. Not its launcher, which might build it
     * first.
     */
    private static List<String> program() {
        String installed = System.getenv("DUALSTACKD_BENCH_PROGRAM");
        if (installed != null) {
            return List.of(installed);
        }
        Path jar = Path.of(System.getProperty("dualstackd.home", "."), "agent", "target", "dualstackd.jar");
        List<String> command = FreshJvm.command();
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    /** Discards the records read so far. */
    public void forget() {
        reports.clear();
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = IN_FORCE.matcher(line);
                if (matcher.find()) {
                    reports.add(new InForce(
                            matcher.group(2),
                            System.nanoTime(),
                            Integer.parseInt(matcher.group(3)),
                            Double.parseDouble(matcher.group(4)),
                            matcher.group(1).startsWith("repaired")));
                } else if (!line.contains("INFO")) {
                    System.err.println(line);
                }
            }
        } catch (IOException e) {
            // The daemon has ended.
        }
    }

    /** Waits for the next record that a family is in force. */
    public InForce next() throws InterruptedException {
        InForce next = reports.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new IllegalStateException("the daemon was not in force within " + TIMEOUT_SECONDS + " s");
        }
        return next;
    }

    /** Waits until both families are in force; the one that was last is the last. A family may be in force several times meanwhile. */
    public List<InForce> nextOfBoth() throws InterruptedException {
        Map<String, InForce> both = new LinkedHashMap<>();
        while (both.size() < IpFamily.values().length) {
            InForce next = next();
            both.putIfAbsent(next.family(), next);
        }
        return List.copyOf(both.values());
    }

    /** Waits until both families are in force for the first time, and reports how long that took, and the memory. */
    public void reportStart(Report report, String what) throws Exception {
        List<InForce> both = nextOfBoth();
        Resident memory = resident();
        report.say("  %-8s  %s ms, processor %s ms; pass: %s; %d MB at most, %d MB then%n"
                .formatted(
                        what,
                        Percentiles.millis(both.getLast().nanos() - started),
                        Percentiles.millis(processor()),
                        both.stream().map(InForce::toString).collect(Collectors.joining(", ")),
                        memory.peak() >> 20,
                        memory.now() >> 20));
    }

    public void reportMemory(Report report) throws IOException {
        Resident end = resident();
        report.say("  memory    %d MB at most, %d MB in the end%n".formatted(end.peak() >> 20, end.now() >> 20));
    }

    /** Processor time so far, including the kernel's work on behalf of the threads. */
    public ThreadTimes times() throws IOException {
        return ThreadTimes.of(process.pid());
    }

    /** Processor time so far in nanoseconds, including threads that have ended. */
    private long processor() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    private Resident resident() throws IOException {
        return Resident.of(process.pid());
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
