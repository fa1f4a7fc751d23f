package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.rules.nftables.WholeTable;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Random changes, faults, restarts and interference for the nftables syncer of one family, and what the kernel must hold after each. */
final class ChurnRun implements AutoCloseable {
    /** More syncs than the faults of one step can make fail. */
    private static final int MOST_SYNCS = 12;

    private static final int PACKETS = 10;

    private static final long A_DAY = 86_400_000;

    private final IpFamily family;
    private final Random random;
    private final NetNs ns;
    private final NftClient client;
    private final World world;
    private final InterferingProgram other;
    private final InjectedFaults faults;
    private final ForeignChanges foreignChanges;
    private final Map<String, Set<Bytes>> clients = new HashMap<>();
    private Generations generations = new Generations();
    private NftablesSyncer syncer;

    private boolean interfered;
    private boolean inDetail;

    private final List<String> happened = new ArrayList<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    private ChurnRun(IpFamily family, long seed) throws Exception {
        this.family = family;
        this.random = new Random(seed * 31 + family.number());
        this.ns = FreshNetNs.create();
        this.client = NftClient.open(ns);
        this.world = new World(family, random);
        this.other = new InterferingProgram(client, family, random);
        this.faults = new InjectedFaults(ns, random);
        this.foreignChanges = new ForeignChanges(ns, family);
        this.syncer = newSyncer();
    }

    /** Runs so many steps, and returns how often each kind of event happened. */
    static String run(IpFamily family, long seed, int steps) throws Exception {
        try (ChurnRun run = new ChurnRun(family, seed)) {
            for (int step = 1; step <= steps; step++) {
                run.happened.clear();
                try {
                    run.step(step);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "%s, step %d of -Dchurn.seed=%d: %s%nafter %s"
                                    .formatted(
                                            family, step, seed, e.getMessage(), String.join("\n      ", run.happened)),
                            e);
                }
            }
            return steps + " steps with " + run.counts;
        }
    }

    private void step(int step) throws NetlinkException {
        boolean quiet = step > 1;
        Set<ServiceKey> changed = new HashSet<>();
        interfered = false;
        if (chance(10)) {
            remember();
        }
        if (chance(40)) {
            note("restarts", "restarts");
            restart();
            quiet = false;
        }
        if (chance(20)) {
            interfere();
        }
        inDetail = random.nextBoolean();
        if (chance(3)) {
            deliverChanges();
        }
        for (int changes = random.nextInt(8) == 0 ? random.nextInt(5) : 1; changes > 0; changes--) {
            note("changes", world.change(changed));
        }
        if (chance(12)) {
            note("troubles", "faults are injected");
            faults.failSoon();
            quiet = false;
        }
        if (chance(25)) {
            note("deaths", "will be killed");
            faults.killSoon();
            quiet = false;
        }
        if (chance(40)) {
            faults.beforeNextBatch(this::interfere);
        }
        SyncResult report = untilInForce(changed);
        faults.clear();
        if (!quiet) {
            // The notification of a transaction whose answer was lost still reaches the daemon.
            generations.accountFrom(client.generation().id());
        }
        if (interfered) {
            deliverChanges();
            untilInForce(Set.of());
        } else if (quiet && report.comparedAll()) {
            throw new AssertionError("everything was compared for no reason");
        }
        compare();
        if (syncer.changedByOthers()) {
            if (quiet) {
                throw new AssertionError("takes a change that is accounted for as made by another program");
            }
            syncer.invalidateAll();
            untilInForce(Set.of());
        }
    }

    /** Tells the syncer of changes made by the other program: in detail, or that notifications were lost. */
    private void deliverChanges() throws NetlinkException {
        if (!interfered) {
            return;
        }
        Set<ChangedObject> changes = foreignChanges.take();
        if (inDetail) {
            note("repairs", "is notified of " + changes);
            syncer.invalidate(changes);
        } else {
            note("comparisons", "loses notifications");
            syncer.invalidateAll();
        }
    }

    private void interfere() {
        try {
            foreignChanges.skipOwn();
            note("foreign changes", "another program " + other.change());
            foreignChanges.collect();
            generations.account(client.generation().id());
            interfered = true;
        } catch (NetlinkException e) {
            throw new IllegalStateException("the other program cannot reach the kernel", e);
        }
    }

    /** Adds a client of an endpoint with session affinity, as a packet would. */
    private void remember() throws NetlinkException {
        if (clients.isEmpty()) {
            return;
        }
        String set = List.copyOf(new TreeMap<>(clients).keySet()).get(random.nextInt(clients.size()));
        Bytes remembered = Bytes.of(world.net.ip("203.0.115." + random.nextInt(250)));
        NftElement element =
                new NftElement(remembered, Bytes.EMPTY, MapData.NOTHING, 0, A_DAY, 0, Bytes.EMPTY, List.of());
        assertApplied(
                client.apply(NftBatch.begin().addElements(TableSets.name(family).set(set), List.of(element))));
        generations.account(client.generation().id());
        clients.computeIfAbsent(set, name -> new HashSet<>()).add(remembered);
        note("clients", remembered + " is remembered in " + set);
    }

    private static void assertApplied(NftOutcome outcome) {
        if (!(outcome instanceof NftOutcome.Applied)) {
            throw new AssertionError(outcome.toString());
        }
    }

    private SyncResult untilInForce(Set<ServiceKey> changed) {
        Planner planner = Planner.of(world.node());
        List<String> reports = new ArrayList<>();
        for (int i = 0; i < MOST_SYNCS; i++) {
            try {
                SyncResult report = syncer.run(planner, changed, world.plans(planner));
                if (!report.leftOut().isEmpty()) {
                    throw new AssertionError("left out: " + report.leftOut());
                }
                if (!report.needsRetry()) {
                    return report;
                }
                note("retries", report.result().toString());
                reports.add(report.result().toString());
            } catch (InjectedFaults.Killed e) {
                note("kills", "is killed");
                restart();
            }
        }
        throw new AssertionError("never in force: " + reports);
    }

    private void restart() {
        faults.clear();
        syncer.close();
        generations = new Generations();
        syncer = newSyncer();
    }

    private NftablesSyncer newSyncer() {
        try {
            generations.accountFrom(client.generation().id());
            return NftablesSyncer.of(
                    TableForm.plain(family), faults::open, generations, new RuleSetGate(), Optional.empty());
        } catch (NetlinkException e) {
            throw new IllegalStateException("the kernel cannot be read", e);
        }
    }

    private void compare() throws NetlinkException {
        KernelTable kernel = KernelTable.read(client, family);
        List<String> differences = kernel.differences(WholeTable.of(world.node(), world.services()));
        if (!differences.isEmpty()) {
            throw new AssertionError(String.join("\n", differences));
        }
        compareClients(kernel);
        if (!chance(5)) {
            return;
        }
        PacketJudge judge = new PacketJudge(world, kernel.content(), random);
        for (int i = 0; i < PACKETS; i++) {
            Optional<String> surprise = judge.surprise();
            if (surprise.isPresent()) {
                throw new AssertionError(surprise.get());
            }
        }
    }

    /** Compares the clients of session affinity: they stay while their endpoint is there, and a new endpoint has none. */
    private void compareClients(KernelTable kernel) {
        Map<String, Set<Bytes>> now = new HashMap<>();
        kernel.content().sets().forEach((set, elements) -> {
            if (KernelTable.isOfClients(set)) {
                now.put(set, new HashSet<>(elements.keySet()));
            }
        });
        if (!interfered) {
            now.forEach((set, found) -> {
                if (!found.equals(clients.getOrDefault(set, Set.of()))) {
                    throw new AssertionError(set + " remembers " + found + " instead of " + clients.get(set));
                }
            });
        }
        clients.clear();
        clients.putAll(now);
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private void note(String kind, String what) {
        counts.merge(kind, 1, Integer::sum);
        happened.add(what);
    }

    @Override
    public void close() {
        syncer.close();
        foreignChanges.close();
        client.close();
        ns.close();
    }
}
