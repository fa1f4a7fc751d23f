package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.SoakTable.Sample;
import io.dualstackd.agent.faults.SoakTable.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Random faults for a long time beside steady changes: {@code bin/soak}. */
public final class Soak {
    private static final int SERVICES = 150;
    private static final int CHANGES = 100;
    private static final int CALM_SECONDS = 5;
    /** Contested rules are reported as such for a while. */
    private static final int HEALTHY_SECONDS = 300;

    private final Map<String, String> options;
    private final SoakTable table = new SoakTable();
    private final Source source;
    private final Mode mode;
    private final Random random;
    private final long seed;
    private final int minutes;

    private Soak(Map<String, String> options) {
        this.options = options;
        this.minutes = Integer.parseInt(options.getOrDefault("minutes", "10"));
        this.seed = Long.parseLong(options.getOrDefault("seed", "1"));
        this.source = Source.valueOf(options.getOrDefault("source", "cluster").toUpperCase(Locale.ROOT));
        this.mode = Mode.valueOf(options.getOrDefault("mode", "nftables").toUpperCase(Locale.ROOT));
        this.random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String word = words.removeFirst();
            if (word.equals("--write")) {
                options.put("write", "yes");
            } else if (word.equals("--once")) {
                options.put("once", "yes");
            } else if (List.of("--minutes", "--seed", "--mode", "--source", "--fault")
                            .contains(word)
                    && !words.isEmpty()) {
                options.put(word.substring(2), words.removeFirst());
            } else {
                System.err.println(
                        "usage: bin/soak [--once | --minutes N] [--seed S] [--mode nftables|iptables] [--source cluster|folder|ledger] [--fault WORDS] [--write]");
                System.exit(2);
            }
        }
        System.exit(new Soak(options).run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        boolean healthy;
        try (Scratch scratch = Scratch.fresh(Path.of(System.getProperty("java.io.tmpdir")));
                Testbed bed = Testbed.start(scratch, mode, source, SERVICES, seed, "-Xmx96m")) {
            say("in force; " + CHANGES + " changes a second begin, log " + bed.log());
            bed.changes().rate(CHANGES);
            if (once()) {
                for (Fault fault : chosen()) {
                    one(bed, fault);
                }
            } else {
                soak(bed);
            }
            healthy = bed.oracle().awaitHealthy(System.nanoTime(), HEALTHY_SECONDS);
            say(
                    healthy
                            ? "healthy in the end"
                            : "NOT HEALTHY IN THE END: " + bed.oracle().healthReport());
        }
        System.out.println("\n" + report());
        write();
        return healthy && table.failures() == 0;
    }

    private boolean once() {
        return options.containsKey("once");
    }

    private void write() throws IOException {
        if (options.containsKey("write")) {
            Files.writeString(Path.of("docs", "soak.md"), report());
        }
    }

    private void soak(Testbed bed) throws Exception {
        long start = System.nanoTime();
        long end = start + minutes * 60_000_000_000L;
        List<Fault> left = new ArrayList<>();
        int sampled = -1;
        while (System.nanoTime() < end) {
            if (left.isEmpty()) {
                left = chosen();
                Collections.shuffle(left, random);
                // Taken from the end: those that end the process come last, so that it lives long enough to show
                // growth.
                left.sort(Comparator.comparing(fault -> !fault.endsProcess()));
            }
            Thread.sleep(CALM_SECONDS * 1000L);
            int minute = (int) ((System.nanoTime() - start) / 60_000_000_000L);
            if (minute > sampled) {
                sampled = minute;
                sample(bed, minute);
                write();
            }
            one(bed, left.removeLast());
        }
    }

    private void one(Testbed bed, Fault fault) throws Exception {
        Seen seen = FaultRun.of(bed, fault, random, once());
        table.add(seen);
        say(seen.toString());
        if (!seen.good()) {
            recover(bed);
        }
    }

    /** So that one failure is not counted again and again. */
    private static void recover(Testbed bed) throws Exception {
        bed.daemon().kill();
        bed.oracle().awaitAgreement(System.nanoTime(), 120);
    }

    private List<Fault> chosen() {
        String part = options.getOrDefault("fault", "");
        return new ArrayList<>(Faults.of(source, mode).stream()
                .filter(fault -> fault.name().contains(part))
                .toList());
    }

    private void sample(Testbed bed, int minute) {
        try {
            ChildDaemon daemon = bed.daemon();
            table.add(new Sample(
                    minute,
                    daemon.figure("VmRSS"),
                    daemon.descriptors(),
                    daemon.figure("Threads"),
                    bed.supervisor().restarts(),
                    daemon.pid()));
        } catch (IOException e) {
            // It is being restarted.
        }
    }

    private String report() {
        String command = "bin/soak " + (once() ? "--once" : "--minutes " + minutes + " --seed " + seed) + " --mode "
                + mode.flag()
                + (source == Source.CLUSTER ? "" : " --source " + source.name().toLowerCase(Locale.ROOT));
        return """
                # Soak

                What `%s` printed: %d dual-stack Services, %d changes a second, one fault after the other.

                Divergence is how long the rule of any destination was not what the objects require, which includes up to a second between two checks. A
                part of it is silent: `status`, `/healthz` and `/livez` reported no problem. No more than %d s may be silent, and within
                %d s of the end of a fault everything agrees and is reported to be healthy.

                """.formatted(command, SERVICES, CHANGES, (int) Seen.SILENT_SECONDS, Fault.BACK_SECONDS) + table.text();
    }

    private static void say(String what) {
        System.out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + what);
    }
}
