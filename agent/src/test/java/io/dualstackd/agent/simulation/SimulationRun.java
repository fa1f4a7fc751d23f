package io.dualstackd.agent.simulation;

import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.kubeapi.client.io.InMemoryApiServer;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** A simulated minute of a daemon, with faults. */
final class SimulationRun {
    private static final Duration LENGTH = Duration.ofSeconds(60);
    /** How long a change may take to be in force while the status reports no problem. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final Trace trace = new Trace();
    private final SimulatedPlatform platform;
    private final SimulatedKernel kernel;
    private final InMemoryApiServer server;
    private final SplittableRandom random;
    private final Cluster cluster;
    private final NetNs unused;
    private final List<String> fatal = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    /** Until when a change by others may be there: its notification was lost. */
    private long driftUntil;

    private long degraded;
    private long restarted;

    SimulationRun(long seed, NetNs unused) {
        this.unused = unused;
        this.platform = new SimulatedPlatform(seed, trace);
        this.random = new SplittableRandom(~seed);
        this.kernel = new SimulatedKernel(platform, trace, SimulatedKernel.host(List.of("192.0.2.10", "2001:db8::10")));
        this.server = new InMemoryApiServer(platform, trace);
        this.cluster = new Cluster(server, platform, random);
    }

    /** What a run leads to. */
    record Result(
            long trace,
            long events,
            List<String> wrong,
            List<String> alive,
            long transactions,
            long requests,
            long degradedSeconds,
            long writtenByRestart,
            List<String> last) {}

    Result run() throws InterruptedException {
        platform.run(this::live);
        List<String> all = new ArrayList<>(wrong);
        fatal.forEach(why -> all.add("the process would end: " + why));
        return new Result(
                trace.hash(),
                trace.events(),
                all,
                platform.alive(),
                kernel.transactions(),
                server.requests(),
                degraded,
                restarted,
                trace.last());
    }

    private void live() {
        server.latency(Duration.ofMillis(20));
        cluster.create();
        try (Daemon daemon = SimulatedDaemon.start(platform, kernel, server, unused, fatal)) {
            plan();
            for (int second = 1; second <= LENGTH.toSeconds(); second++) {
                platform.sleep(Duration.ofSeconds(1));
                check(daemon, second);
            }
            platform.sleep(DEADLINE.plus(DEADLINE));
            check(daemon, (int) platform.elapsed().toSeconds());
            right(IpFamily.IPV4, platform.nanoTime() + 1, "in the end");
            right(IpFamily.IPV6, platform.nanoTime() + 1, "in the end");
        }
        long before = kernel.transactions();
        try (Daemon again = SimulatedDaemon.start(platform, kernel, server, unused, fatal)) {
            platform.sleep(Duration.ofSeconds(2));
            for (FamilyStatus line : again.statuses()) {
                if (line.state() != FamilyStatus.State.IN_FORCE) {
                    wrong.add("after the restart " + line.family() + " is " + line.state() + " " + line.lastError());
                }
            }
        }
        restarted = kernel.transactions() - before;
        // Some threads are signalled to end, and not waited for.
        platform.sleep(Duration.ofMillis(1));
    }

    /** Everything that happens to the daemon. */
    private void plan() {
        for (int millis = 500; millis < LENGTH.toMillis(); millis += 100) {
            platform.after(Duration.ofMillis(millis), cluster::change);
        }
        // The API server goes away while objects change, and forgets what happened meanwhile.
        platform.after(between(12, 15), server::stop);
        platform.after(Duration.ofSeconds(25), server::compact);
        platform.after(Duration.ofSeconds(30), server::start);
        platform.after(between(35, 38), server::disconnect);
        platform.after(between(50, 55), server::disconnect);
        // The kernel cannot be written to for some transactions.
        platform.after(between(1, 2), () -> kernel.refuseToSend(1 + random.nextInt(3)));
        platform.after(between(31, 33), () -> kernel.refuseToSend(1 + random.nextInt(4)));
    }

    private Duration between(int from, int to) {
        return Duration.ofMillis(random.nextLong(from * 1000L, to * 1000L));
    }

    private void check(Daemon daemon, int second) {
        if (second == 4) {
            // Another program changes our rules, and the daemon is notified.
            vandalize(IpFamily.IPV6, DEADLINE);
        } else if (second == 6) {
            // The same, but the receive buffer of the watch overflows.
            vandalize(IpFamily.IPV4, DEADLINE);
            kernel.overrun();
        } else if (second == 40) {
            // The same, but the notification is lost without a word: only the periodic look can find it.
            kernel.loseNotifications(1);
            vandalize(IpFamily.IPV4, SimulatedDaemon.LOOK_PERIOD.multipliedBy(2));
        }
        boolean saysSo = daemon.source().outageReason().isPresent()
                || !daemon.synced()
                || daemon.statuses().stream().anyMatch(line -> line.state() != FamilyStatus.State.IN_FORCE);
        if (saysSo) {
            degraded++;
            trace.add(
                    platform.nanoTime(),
                    "status",
                    daemon.source().outageReason().orElse("a family fails"));
        } else if (platform.nanoTime() > driftUntil) {
            long deadline = platform.nanoTime() - DEADLINE.toNanos();
            right(IpFamily.IPV4, deadline, "at second " + second);
            right(IpFamily.IPV6, deadline, "at second " + second);
        }
    }

    /** Checks what the rules lead to, for Services that have been as they are since {@code deadline}. */
    private void right(IpFamily family, long deadline, String when) {
        Map<String, Set<String>> found = KernelDestinations.of(kernel, family);
        cluster.services().forEach((number, wanted) -> {
            if (wanted.since() < deadline) {
                Set<String> pods = new TreeSet<>();
                wanted.pods().forEach(pod -> pods.add(Ip.parse(Cluster.pod(family, pod)) + ":8080"));
                String destination = Ip.parse(Cluster.clusterIp(family, number)) + "/6:80";
                if (!pods.equals(found.get(destination))) {
                    wrong.add(when + " " + destination + " leads to " + found.get(destination) + ", not to " + pods);
                }
            }
        });
    }

    /**
     * Another program removes an endpoint from our table.
     *
     * @param timeout after which it must be back
     */
    private void vandalize(IpFamily family, Duration timeout) {
        driftUntil = platform.nanoTime() + timeout.toNanos();
        TableName table = new TableName(NftFamily.of(family), "dualstackd");
        NftTables.Set endpoints = Objects.requireNonNull(
                kernel.tables().find(table).orElseThrow().sets().get("endpoints"));
        // Of the Service that the cluster leaves alone, so that no change repairs it by the way.
        String service =
                Bytes.of(Ip.parse(Cluster.clusterIp(family, Cluster.UNCHANGED))).toString();
        NftElement victim = endpoints.elements().values().stream()
                .map(NftTables.Element::value)
                .filter(element -> element.key().toString().startsWith(service))
                .findFirst()
                .orElseThrow();
        trace.add(platform.nanoTime(), "external-change", victim.toString());
        try (NftClient other = NftClient.open(kernel)) {
            var outcome = other.apply(
                    NftBatch.begin().deleteElements(table.set("endpoints"), List.of(NftElement.of(victim.key()))));
            if (!(outcome instanceof NftOutcome.Applied)) {
                wrong.add("the external change was refused: " + outcome);
            }
        } catch (NetlinkException e) {
            throw new IllegalStateException(e);
        }
    }
}
