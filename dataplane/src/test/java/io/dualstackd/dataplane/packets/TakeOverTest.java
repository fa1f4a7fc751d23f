package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules that {@code iptables-restore} wrote are right as they are: our own line, started on top of them, changes nothing. So a node
 * can go from another proxy of the same layout to this one without losing a packet.
 */
@Tag("kernel")
final class TakeOverTest {
    static Stream<Scenario> scenarios() {
        return Stream.of(LabMap.values()).flatMap(Scenario::all);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void nothingIsChanged(Scenario scenario) throws Exception {
        check(scenario.node(), scenario.services());
    }

    /** Affinity, thirds and sevenths, a health-check port, ranges: what no scenario has. */
    @ParameterizedTest
    @EnumSource
    void nothingIsChangedInRarerRules(LabMap map) throws Exception {
        List<ServiceView> services = IntStream.rangeClosed(1, 8)
                .mapToObj(count -> Services.on(
                                map,
                                Services.everything(map, "service-" + count, count),
                                IntStream.rangeClosed(1, count)
                                        .mapToObj(i -> i <= 4 ? "L" + i : "R" + (i - 4))
                                        .collect(Collectors.joining(",")))
                        .affinity(count * 1_000)
                        .sourceRanges(
                                map.clientRange().toString(), map.nodeRange().toString())
                        .externalLocal()
                        .healthCheckNodePort(32_000 + count)
                        .protocols(Proto.TCP, Proto.UDP, Proto.SCTP)
                        .view())
                .toList();
        NodeView view = map.nodeBuilder().podsIn(map.pods().toString()).view();
        // One by one: iptables-restore sends all rules at once, and without the machine's root a send is limited to 200
        // kB.
        for (ServiceView service : services) {
            check(view, List.of(service));
        }
    }

    private static void check(NodeView view, List<ServiceView> services) throws Exception {
        try (NetNs node = FreshNetNs.create();
                RestoredIptables other = new RestoredIptables(node);
                NativeIptables ours = new NativeIptables(node)) {
            other.program(view, services);
            ours.takeOver(view, services);
        }
    }
}
