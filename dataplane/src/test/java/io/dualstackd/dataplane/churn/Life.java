package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.diff.PassReport;
import io.dualstackd.dataplane.io.NftablesPass;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.WholeTable;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
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

    private static final int PACKETS = 3;

    private final IpFamily family;
    private final Random random;
    private final NetNs ns;
    private final NftClient witness;
    private final World world;
    private final Vandal vandal;
    private final Perils perils;
    private NftablesPass pass;

    private final List<String> happened = new ArrayList<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    private Life(IpFamily family, long seed) throws Exception {
        this.family = family;
        this.random = new Random(seed * 31 + family.number());
        this.ns = NetNs.create();
        this.witness = NftClient.open(ns);
        this.world = new World(family, random);
        this.vandal = new Vandal(witness, family, random);
        this.perils = new Perils(ns, random);
        this.pass = NftablesPass.of(family, perils::open);
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
        if (chance(40)) {
            note("restarts", "restarts");
            restart();
            quiet = false;
        }
        if (chance(20)) {
            strike();
            quiet = false;
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
            quiet = false;
        }
        PassReport report = untilInForce(changed);
        perils.calm();
        if (quiet && report.comparedAll()) {
            throw new AssertionError("everything was compared for no reason");
        }
        if (pass.forgetIfChanged()) {
            if (quiet) {
                throw new AssertionError("our own change was taken for somebody else's");
            }
            note("repairs", "sees that others were here");
            untilInForce(Set.of());
        }
        compare();
    }

    private void strike() {
        note("foreign changes", "a vandal " + vandal.strike());
    }

    private PassReport untilInForce(Set<ServiceKey> changed) {
        List<String> reports = new ArrayList<>();
        for (int i = 0; i < PASSES; i++) {
            try {
                PassReport report = pass.run(world.node(), changed, world);
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
        pass = NftablesPass.of(family, perils::open);
    }

    private void compare() throws NetlinkException {
        KernelTable kernel = KernelTable.read(witness, family);
        List<String> differences = kernel.differences(WholeTable.of(world.node(), world.services()));
        if (!differences.isEmpty()) {
            throw new AssertionError(String.join("\n", differences));
        }
        PacketJudge judge = new PacketJudge(world, kernel.content(), random);
        for (int i = 0; i < PACKETS; i++) {
            Optional<String> surprise = judge.surprise();
            if (surprise.isPresent()) {
                throw new AssertionError(surprise.get());
            }
        }
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
        witness.close();
        ns.close();
    }
}
