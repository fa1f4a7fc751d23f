package io.dualstackd.bench.daemon;

import io.dualstackd.bench.measure.BenchOptions;
import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Scratch;
import io.dualstackd.bench.measure.ThreadTimes;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures what it costs to follow this node's pods while they do not change. */
public final class PodsBench {
    private static final int USUAL_PODS = 110;
    private static final int TOP = 6;

    private static final String LEGEND = """
        Three daemons at the same time, each in a network namespace of its own: without a container runtime, beside one that sends
        no events, beside one that does. The runtimes are played, with two containers in each pod, labels and annotations as kubelet
        writes them; nothing happens in them. Processor time of the whole process, and of the threads that used most, each with how often it
        was given a processor; the first minute still compiles.
        """;

    private PodsBench() {}

    private record Subject(String name, NetNs ns, DaemonUnderTest daemon, SimulatedRuntime runtime)
            implements AutoCloseable {
        @Override
        public void close() throws InterruptedException {
            daemon.close();
            runtime.close();
            ns.close();
        }
    }

    private record Sample(ThreadTimes times, int lists) {}

    private static List<Sample> samples(List<Subject> subjects) throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (Subject subject : subjects) {
            samples.add(new Sample(subject.daemon.times(), subject.runtime.lists()));
        }
        return samples;
    }

    /** Prints one table for each number of pods; an empty list stands for as many as a kubelet allows. */
    public static void run(BenchOptions options) throws Exception {
        Report report = new Report("Pods of the node", options);
        report.say(LEGEND);
        for (int pods : options.sizesOr(USUAL_PODS)) {
            one(report, pods, options.quick() ? Duration.ofSeconds(10) : Duration.ofMinutes(1));
        }
        if (options.write()) {
            report.write("pods.txt");
        }
    }

    private static void one(Report report, int pods, Duration span) throws Exception {
        try (Scratch scratch = Scratch.make()) {
            Folder folder = new Folder(scratch.path().resolve("manifests"), 1);
            folder.write();
            try (Subject alone = start(scratch, folder, "no runtime", pods, false, false);
                    Subject without = start(scratch, folder, "no events", pods, true, false);
                    Subject with = start(scratch, folder, "events", pods, true, true)) {
                List<Subject> all = List.of(alone, without, with);
                for (Subject each : all) {
                    each.daemon.nextOfBoth();
                }
                report.say("%n%,d pods%n".formatted(pods));
                // Until events are relied on.
                Thread.sleep(Duration.ofSeconds(12));
                for (int minute = 1; minute <= 4; minute++) {
                    minute(report, minute, all, span);
                }
            }
        }
    }

    private static void minute(Report report, int minute, List<Subject> all, Duration span) throws Exception {
        Report.progress("minute " + minute);
        List<Sample> before = samples(all);
        Thread.sleep(span);
        List<Sample> after = samples(all);
        for (int i = 0; i < all.size(); i++) {
            ThreadTimes used = after.get(i).times.since(before.get(i).times);
            report.say("  minute %d  %-10s  cpu %8s ms  %2d lists  %s%n"
                    .formatted(
                            minute,
                            all.get(i).name,
                            Percentiles.millis(used.total()),
                            after.get(i).lists - before.get(i).lists,
                            used.top(TOP)));
        }
    }

    private static Subject start(Scratch scratch, Folder folder, String name, int pods, boolean asked, boolean events)
            throws Exception {
        Path own = Files.createDirectories(scratch.path().resolve(name.replace(' ', '-')));
        Path socket = own.resolve("runtime.sock");
        SimulatedRuntime runtime = new SimulatedRuntime(socket, pods, events);
        NetNs ns = NetNs.create();
        List<String> flags = asked
                ? List.of("--cri=unix://" + socket, "--healthz-bind-address=")
                : List.of("--healthz-bind-address=");
        DaemonUnderTest daemon = DaemonUnderTest.start(ns, Mode.NFTABLES, folder, own, flags);
        return new Subject(name, ns, daemon, runtime);
    }
}
