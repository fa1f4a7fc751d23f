package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.RuleSetGate;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.rules.nftables.WholeTable;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.witness.FreshNetNs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** One life of a daemon's line for one family, and of those it has to do with. */
final class Life implements AutoCloseable {
    /** More passes than any trouble of one step can spoil. */
    private static final int PASSES = 12;

    private static final int PACKETS = 10;

    private static final long A_DAY = 86_400_000;

    private final IpFamily family;
    private final Random random;
    private final NetNs ns;
    private final NftClient witness;
    private final World world;
    private final Vandal vandal;
    private final Perils perils;
    private final Rumours rumours;
    private final Map<String, Set<Bytes>> clients = new HashMap<>();
    private Generations generations = new Generations();
    private NftablesSyncer pass;

    private boolean struck;
    private boolean hearing;

    private final List<String> happened = new ArrayList<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    private Life(IpFamily family, long seed) throws Exception {
        this.family = family;
        this.random = new Random(seed * 31 + family.number());
        this.ns = FreshNetNs.create();
        this.witness = NftClient.open(ns);
        this.world = new World(family, random);
        this.vandal = new Vandal(witness, family, random);
        this.perils = new Perils(ns, random);
        this.rumours = new Rumours(ns, family);
        this.pass = pass();
    }

    /** Lives, and says how it was. */
    static String live(IpFamily family, long seed, int steps) throws Exception {
        try (Life life = new Life(family, seed)) {
            for (int step = 1; step <= steps; step++) {
                life.happened.clear();
                try {
                    life.step(step);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "%s, step %d of -Dchurn.seed=%d: %s%nafter %s"
                                    .formatted(
                                            family, step, seed, e.getMessage(), String.join("\n      ", life.happened)),
                            e);
                }
            }
            return steps + " steps with " + life.counts;
        }
    }

    private void step(int step) throws NetlinkException {
        boolean quiet = step > 1;
        Set<ServiceKey> changed = new HashSet<>();
        struck = false;
        if (chance(10)) {
            remember();
        }
        if (chance(40)) {
            note("restarts", "restarts");
            restart();
            quiet = false;
        }
        if (chance(20)) {
            strike();
        }
        hearing = random.nextBoolean();
        if (chance(3)) {
            hear();
        }
        for (int changes = random.nextInt(8) == 0 ? random.nextInt(5) : 1; changes > 0; changes--) {
            note("changes", world.change(changed));
        }
        if (chance(12)) {
            note("troubles", "trouble is near");
            perils.trouble();
            quiet = false;
        }
        if (chance(25)) {
            note("deaths", "death is near");
            perils.death();
            quiet = false;
        }
        if (chance(40)) {
            perils.intrusion(this::strike);
        }
        SyncResult report = untilInForce(changed);
        perils.calm();
        if (!quiet) {
            // A transaction whose answer was lost is heard of by whoever listens for the daemon.
            generations.accountFrom(witness.generation().id());
        }
        if (struck) {
            hear();
            untilInForce(Set.of());
        } else if (quiet && report.comparedAll()) {
            throw new AssertionError("everything was compared for no reason");
        }
        compare();
        if (pass.changedByOthers()) {
            if (quiet) {
                throw new AssertionError("takes what is accounted for for somebody else's");
            }
            pass.invalidateAll();
            untilInForce(Set.of());
        }
    }

    /** What others did reaches the pass: in detail, or as news that were lost. */
    private void hear() throws NetlinkException {
        if (!struck) {
            return;
        }
        Set<ChangedObject> heard = rumours.take();
        if (hearing) {
            note("repairs", "hears of " + heard);
            pass.invalidate(heard);
        } else {
            note("comparisons", "hears that others were here");
            pass.invalidateAll();
        }
    }

    private void strike() {
        try {
            rumours.listen();
            note("foreign changes", "a vandal " + vandal.strike());
            rumours.gather();
            generations.account(witness.generation().id());
            struck = true;
        } catch (NetlinkException e) {
            throw new IllegalStateException("the vandal cannot reach the kernel", e);
        }
    }

    /** An endpoint with session affinity has a client, as if a packet had come. */
    private void remember() throws NetlinkException {
        if (clients.isEmpty()) {
            return;
        }
        String set = List.copyOf(new TreeMap<>(clients).keySet()).get(random.nextInt(clients.size()));
        Bytes client = Bytes.of(world.net.ip("203.0.115." + random.nextInt(250)));
        NftElement element = new NftElement(client, Bytes.EMPTY, MapData.NOTHING, 0, A_DAY, 0, Bytes.EMPTY, List.of());
        assertApplied(witness.apply(
                NftBatch.begin().addElements(TableSets.name(family).set(set), List.of(element))));
        generations.account(witness.generation().id());
        clients.computeIfAbsent(set, name -> new HashSet<>()).add(client);
        note("clients", client + " is remembered in " + set);
    }

    private static void assertApplied(NftOutcome outcome) {
        if (!(outcome instanceof NftOutcome.Applied)) {
            throw new AssertionError(outcome.toString());
        }
    }

    private SyncResult untilInForce(Set<ServiceKey> changed) {
        Planner planner = Planner.of(world.node());
        List<String> reports = new ArrayList<>();
        for (int i = 0; i < PASSES; i++) {
            try {
                SyncResult report = pass.run(planner, changed, world.plans(planner));
                if (!report.leftOut().isEmpty()) {
                    throw new AssertionError("left out: " + report.leftOut());
                }
                if (!report.needsRetry()) {
                    return report;
                }
                note("retries", report.result().toString());
                reports.add(report.result().toString());
            } catch (Perils.Killed e) {
                note("kills", "is killed");
                restart();
            }
        }
        throw new AssertionError("never in force: " + reports);
    }

    private void restart() {
        perils.calm();
        pass.close();
        generations = new Generations();
        pass = pass();
    }

    private NftablesSyncer pass() {
        try {
            generations.accountFrom(witness.generation().id());
            return NftablesSyncer.of(family, perils::open, generations, new RuleSetGate());
        } catch (NetlinkException e) {
            throw new IllegalStateException("the witness cannot read", e);
        }
    }

    private void compare() throws NetlinkException {
        KernelTable kernel = KernelTable.read(witness, family);
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

    /** Who is remembered stays so while the endpoint is there, and nobody is when it comes (back). */
    private void compareClients(KernelTable kernel) {
        Map<String, Set<Bytes>> now = new HashMap<>();
        kernel.content().sets().forEach((set, elements) -> {
            if (KernelTable.isOfClients(set)) {
                now.put(set, new HashSet<>(elements.keySet()));
            }
        });
        if (!struck) {
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
        pass.close();
        rumours.close();
        witness.close();
        ns.close();
    }
}
