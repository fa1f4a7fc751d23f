package io.dualstackd.bench.daemon;

import io.dualstackd.bench.measure.Mode;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.ThreadTimes;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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

    private record Subject(String name, NetNs ns, DaemonUnderTest daemon, PlayedRuntime runtime) {}

    private record Look(ThreadTimes times, int lists) {
        static Look at(Subject subject) throws IOException {
            return new Look(subject.daemon.times(), subject.runtime.lists());
        }
    }

    private static List<Look> looks(List<Subject> subjects) throws IOException {
        List<Look> looks = new ArrayList<>();
        for (Subject subject : subjects) {
            looks.add(Look.at(subject));
        }
        return looks;
    }

    /** Prints one table for each number of pods; an empty list stands for as many as a kubelet allows. */
    public static void run(List<Integer> sizes, boolean quick, boolean write) throws Exception {
        Report report = new Report("Pods of the node", "bin/bench --write pods");
        report.say(LEGEND);
        for (int pods : sizes.isEmpty() ? List.of(USUAL_PODS) : sizes) {
            one(report, pods, quick ? Duration.ofSeconds(10) : Duration.ofMinutes(1));
        }
        if (write) {
            report.write("pods.txt");
        }
    }

    private static void one(Report report, int pods, Duration span) throws Exception {
        Path scratch = Files.createTempDirectory("dualstackd-bench");
        Folder folder = new Folder(scratch.resolve("manifests"), 1);
        folder.write();
        Subject alone = start(scratch, folder, "no runtime", pods, false, false);
        Subject without = start(scratch, folder, "no events", pods, true, false);
        Subject with = start(scratch, folder, "events", pods, true, true);
        List<Subject> all = List.of(alone, without, with);
        try {
            report.say(String.format(Locale.ROOT, "%n%,d pods%n", pods));
            // Until events are relied on.
            Thread.sleep(Duration.ofSeconds(12));
            for (int minute = 1; minute <= 4; minute++) {
                Report.progress("minute " + minute);
                List<Look> before = looks(all);
                Thread.sleep(span);
                List<Look> after = looks(all);
                for (int i = 0; i < all.size(); i++) {
                    ThreadTimes used = after.get(i).times.since(before.get(i).times);
                    report.say(String.format(
                            Locale.ROOT,
                            "  minute %d  %-10s  cpu %8s ms  %2d lists  %s%n",
                            minute,
                            all.get(i).name,
                            Percentiles.millis(used.total()),
                            after.get(i).lists - before.get(i).lists,
                            used.top(TOP)));
                }
            }
        } finally {
            for (Subject subject : all) {
                subject.daemon.close();
                subject.runtime.close();
                subject.ns.close();
            }
            delete(scratch);
        }
    }

    private static Subject start(Path scratch, Folder folder, String name, int pods, boolean asked, boolean events)
            throws Exception {
        Path own = Files.createDirectories(scratch.resolve(name.replace(' ', '-')));
        Path socket = own.resolve("runtime.sock");
        PlayedRuntime runtime = new PlayedRuntime(socket, pods, events);
        NetNs ns = NetNs.create();
        DaemonUnderTest daemon = asked
                ? DaemonUnderTest.start(
                        ns, Mode.NFTABLES, folder, own, "--cri=unix://" + socket, "--healthz-bind-address=")
                : DaemonUnderTest.start(ns, Mode.NFTABLES, folder, own, "--healthz-bind-address=");
        daemon.next();
        daemon.next();
        return new Subject(name, ns, daemon, runtime);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
