package io.dualstackd.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.faults.SoakTable.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Some faults of each kind, one after the other, around one daemon per mode; {@code bin/verify --faults} has all of them. */
@Tag("faults-quick")
@Tag("kernel")
final class QuickFaultsTest {
    private static final int SERVICES = 40;
    private static final int CHANGES = 20;
    /** What has nothing to do with how rules are written, once. */
    private static final Map<Mode, List<String>> QUICK = Map.of(
            Mode.NFTABLES,
            List.of(
                    "no descriptors left, connections cut",
                    "state directory full",
                    "clock an hour back",
                    "packets lost",
                    "certificate authority rotated",
                    "every answer is 503",
                    "20 foreign changes a second, another table, daemon killed",
                    "IllegalStateException in dataplane-ipv4"),
            Mode.IPTABLES,
            List.of(
                    "connections cut",
                    "server put back to an older state",
                    "daemon stopped",
                    "20 foreign changes a second, another table, daemon killed",
                    "IllegalStateException in dataplane-ipv6",
                    "NoClassDefFoundError in health"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void recoversAndReportsTheFaultUntilThen(Mode mode) throws Exception {
        List<Seen> all = new ArrayList<>();
        try (Scratch scratch = Scratch.fresh(folder);
                Testbed bed = Testbed.start(scratch, mode, Source.CLUSTER, SERVICES, 1)) {
            assertThat(Faults.components(Source.CLUSTER, mode))
                    .containsExactlyInAnyOrderElementsOf(bed.health().components());
            bed.changes().rate(CHANGES);
            Random random = new Random(1);
            for (String name : Objects.requireNonNull(QUICK.get(mode))) {
                Seen seen = FaultRun.of(bed, named(name, mode), random, true);
                all.add(seen);
                System.out.println(mode.flag() + ": " + seen);
                assertThat(seen.good()).as(() -> seen + "\n" + tail(bed.log())).isTrue();
            }
            assertThat(bed.oracle().reads()).isGreaterThan(all.size());
        }
    }

    private static Fault named(String name, Mode mode) {
        return Faults.of(Source.CLUSTER, mode).stream()
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String tail(Path log) {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - 60), all.size()));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
