package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** Kills a daemon in one namespace repeatedly while its manifests change. */
final class KillLoop {
    private static final int LONGEST_MS = 150;
    private static final String CHANGED = " manifests changed ";

    private final Path folder;
    private final Launch launch;
    private final ListedMode mode;
    private final Variants variants;
    private final Random random;
    private final HostUnderTest host;
    /** What was written to each file, in order; what is not yet in the kernel is at the end. */
    private final List<List<Integer>> written = new ArrayList<>();
    /** The last version of each file known to be in the kernel, as an index into {@link #written}. */
    private final Map<IpFamily, int[]> reached = new EnumMap<>(IpFamily.class);

    private final Map<String, Integer> moments = new TreeMap<>();
    private boolean everInForce;
    private int unchangedRestarts;
    private long startMillis = 1000;

    KillLoop(Path folder, Launch launch, ListedMode mode, Variants variants, long seed) throws Exception {
        this.folder = folder;
        this.launch = launch;
        this.mode = mode;
        this.variants = variants;
        this.random = new Random(seed);
        this.host = HostUnderTest.in(folder, launch);
        for (int file = 0; file < Variants.FILES; file++) {
            written.add(new ArrayList<>(List.of(Variants.ABSENT)));
        }
        for (IpFamily family : IpFamily.values()) {
            reached.put(family, new int[Variants.FILES]);
        }
    }

    /** Prints the moments of the kills. */
    String run(int kills) throws Exception {
        try (host) {
            for (int kill = 0; kill < kills; kill++) {
                killOnce();
            }
            compareWithFreshDaemon();
            restartUnchanged();
        }
        return moments + ", " + unchangedRestarts + " restarts without change";
    }

    private void killOnce() throws Exception {
        for (int i = random.nextInt(3); i > 0; i--) {
            change();
        }
        boolean unchanged = everInForce && upToDate();
        int generation = host.generation();
        long start = System.nanoTime();
        RunningDaemon daemon = mode.start(host);
        if (random.nextInt(3) == 0) {
            daemon.killAfter(random.nextLong(startMillis + startMillis / 5));
        } else {
            daemon.awaitInForce();
            startMillis = (startMillis * 7 + (System.nanoTime() - start) / 1_000_000) / 8;
            assertThat(look()).as("whatever was before, a start converges").isEqualTo("all new");
            everInForce = true;
            if (unchanged) {
                unchangedRestarts++;
                assertNothingSent(daemon, generation);
            }
            if (random.nextInt(3) == 0) {
                killDuringChanges(daemon);
            } else {
                killDuringSync(daemon);
            }
        }
        assertThat(daemon.log())
                .as("a daemon that is killed has nothing to complain about before")
                // One number for the whole machine, which a namespace may not be allowed to set.
                .filteredOn(line -> !line.contains("key=net/netfilter/nf_conntrack_max"))
                // Its host has none, and that is worth a warning.
                .filteredOn(line -> !line.contains(" node has no address "))
                .noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
        moments.merge(look(), 1, Integer::sum);
    }

    private void killDuringChanges(RunningDaemon daemon) throws Exception {
        for (int i = random.nextInt(4); i > 0; i--) {
            change();
        }
        daemon.killAfter(random.nextLong(LONGEST_MS));
    }

    /** Most of the time between a write and its rules is waiting; this aims at the rest. */
    private void killDuringSync(RunningDaemon daemon) throws Exception {
        int seen = daemon.count(CHANGED);
        change();
        daemon.awaitLines(CHANGED, seen + 1);
        daemon.killAfter(random.nextLong(LONGEST_MS / 5));
    }

    private void change() throws Exception {
        int file = random.nextInt(Variants.FILES);
        List<Integer> versions = written.get(file);
        int variant = (versions.getLast() + 1 + random.nextInt(Variants.COUNT - 1)) % Variants.COUNT;
        Variants.put(host, file, variant);
        versions.add(variant);
    }

    /**
     * Checks that each file's rules are wholly those of one version, none older than was seen before.
     *
     * @return in words how far the kernel is
     */
    private String look() throws Exception {
        boolean allNew = true;
        boolean allOld = true;
        for (IpFamily family : IpFamily.values()) {
            List<Integer> found = variants.identify(family, mode.listing(host, family));
            int[] indexes = Objects.requireNonNull(reached.get(family));
            for (int file = 0; file < Variants.FILES; file++) {
                List<Integer> versions = written.get(file);
                List<Integer> possible = versions.subList(indexes[file], versions.size());
                assertThat(possible)
                        .as("%s: versions of file %d that may be in the kernel", family, file)
                        .contains(found.get(file));
                boolean newest = found.get(file).equals(versions.getLast());
                boolean oldest = found.get(file).equals(possible.getFirst());
                allNew &= newest;
                allOld &= oldest;
                indexes[file] = newest ? versions.size() - 1 : indexes[file] + possible.indexOf(found.get(file));
            }
        }
        return allNew ? "all new" : allOld ? "all old" : "between";
    }

    private boolean upToDate() {
        return reached.values().stream().allMatch(indexes -> {
            for (int file = 0; file < Variants.FILES; file++) {
                if (indexes[file] != written.get(file).size() - 1) {
                    return false;
                }
            }
            return true;
        });
    }

    private void compareWithFreshDaemon() throws Exception {
        try (HostUnderTest fresh = HostUnderTest.in(folder.resolve("fresh"), launch)) {
            for (int file = 0; file < Variants.FILES; file++) {
                Variants.put(fresh, file, written.get(file).getLast());
            }
            mode.start(fresh).awaitInForce();
            RunningDaemon daemon = mode.start(host);
            daemon.awaitInForce();
            for (IpFamily family : IpFamily.values()) {
                assertThat(mode.listing(host, family)).isEqualTo(mode.listing(fresh, family));
            }
            daemon.terminate();
        }
    }

    private void restartUnchanged() throws Exception {
        int generation = host.generation();
        RunningDaemon daemon = mode.start(host);
        daemon.awaitInForce();
        assertNothingSent(daemon, generation);
        assertThat(daemon.terminate()).isZero();
        unchangedRestarts++;
    }

    private void assertNothingSent(RunningDaemon daemon, int generation) throws Exception {
        assertThat(host.generation()).as("transactions of anybody so far").isEqualTo(generation);
        assertThat(daemon.log())
                .filteredOn(line -> line.contains(" in force "))
                .hasSize(2)
                .allMatch(line -> line.contains(" steps=0 messages=0 "));
        assertThat(AdminClient.status(host.socket(), "json"))
                .isInstanceOfSatisfying(
                        AdminClient.Answer.Report.class,
                        report -> assertThat(report.text().lines())
                                .filteredOn(line -> line.contains("\"transactions\""))
                                .hasSize(2)
                                .allMatch(line -> line.contains(" : 0,")));
    }
}
