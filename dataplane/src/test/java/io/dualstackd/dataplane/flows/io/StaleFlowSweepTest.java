package io.dualstackd.dataplane.flows.io;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.flows.SweepReport;
import io.dualstackd.dataplane.flows.TestFlows;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.conntrack.ConntrackEntry;
import io.dualstackd.netlink.conntrack.ConntrackMessages;
import io.dualstackd.netlink.conntrack.FlowFilter;
import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.ConntrackClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.ScriptedKernel;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sweeps the running kernel's table in a namespace of its own; the {@code conntrack} tool is the reference. */
@Tag("kernel")
class StaleFlowSweepTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Planner PLANNER = Planner.of(
            node(IpFamily.IPV4).addresses("192.168.0.2", "192.168.1.2").view());
    private static final ServiceKey DNS = new ServiceKey("ns", "dns");

    private static ServiceViewBuilder dns(String endpoints) {
        return service("dns", "172.30.0.10")
                .protocols(Proto.TCP, Proto.UDP, Proto.SCTP)
                .port(8000)
                .nodePort(32000)
                .loadBalancerIps("1.2.3.4")
                .externalIps("5.6.7.8")
                .endpoints(endpoints, 9090);
    }

    /** The specification's table in the kernel: after the first sweep exactly the right ones are gone. */
    @Test
    void firstSweepDeletesExactlyWhatTheSpecificationLists() throws Exception {
        List<String> stay = new ArrayList<>();
        List<String> go = new ArrayList<>();
        for (String vip : List.of("172.30.0.10:8000", "1.2.3.4:8000", "5.6.7.8:8000", "192.168.0.2:32000")) {
            stay.add("udp " + vip + " > 10.1.0.1:9090");
            for (String reply : List.of("10.1.0.2:9090", "10.1.0.3:9090", "10.1.0.1:9999", vip)) {
                go.add("udp " + vip + " > " + reply);
                stay.add("sctp " + vip + " > " + reply);
                stay.add("tcp " + vip + " > " + reply);
            }
        }
        for (String vip : List.of("172.30.0.10:3000", "1.2.3.4:3000", "8.8.8.8:32000", "10.9.9.9:8000")) {
            for (String reply : List.of("10.1.0.1:9090", "10.1.0.3:9090", vip)) {
                stay.add("udp " + vip + " > " + reply);
            }
        }
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns));
                StaleFlowSweep sweep = sweep(ns, Optional.empty())) {
            List<ConntrackEntry> entries = entries(Stream.concat(stay.stream(), go.stream()));
            ConntrackEntry inZone = TestFlows.entry(go.getFirst(), 999, 7);
            assertThat(client.add(entries) + client.add(List.of(inZone))).isEqualTo(entries.size() + 1);
            SweepNotes.note(sweep, PLANNER, Set.of(DNS), wanted(dns("10.1.0.1, 10.1.0.2 u")), NOON);
            SweepReport report = sweep.sweep(NOON);
            assertThat(report.problem()).isEmpty();
            assertThat(report.deleted()).isEqualTo(go.size());
            assertThat(report.lists()).isEqualTo(1);
            List<Integer> ports = client.list(new FlowFilter.All(IpFamily.IPV4)).stream()
                    .map(entry -> entry.original().source().port())
                    .sorted()
                    .toList();
            assertThat(ports)
                    .isEqualTo(Stream.concat(
                                    Stream.of(999),
                                    entries.stream()
                                            .limit(stay.size())
                                            .map(entry ->
                                                    entry.original().source().port()))
                            .sorted()
                            .toList());
            assertThat(new NetNsCommands(ns)
                            .run("conntrack", "-L", "-p", "udp")
                            .lines()
                            .filter(line -> line.startsWith("udp")))
                    .hasSize((int) stay.stream()
                                    .filter(flow -> flow.startsWith("udp"))
                                    .count()
                            + 1);

            assertThat(sweep.sweep(NOON))
                    .as("nothing changed")
                    .isEqualTo(new SweepReport(0, 0, 0, Optional.empty(), Optional.empty()));
        }
    }

    @Test
    void laterOnlyWhatChangedIsLookedAt() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns));
                StaleFlowSweep sweep = sweep(ns, Optional.empty())) {
            ServiceViewBuilder before = dns("10.1.0.1, 10.1.0.2").nodePort(0);
            SweepNotes.note(sweep, PLANNER, keys(before), wanted(before), NOON);
            sweep.sweep(NOON);
            client.add(entries(Stream.of(
                    "udp 172.30.0.10:8000 > 10.1.0.1:9090",
                    "udp 172.30.0.10:8000 > 10.1.0.2:9090",
                    "udp 172.30.0.11:8000 > 10.1.0.2:9090",
                    "udp 8.8.8.8:53 > 8.8.8.8:53",
                    "tcp 172.30.0.10:8000 > 10.1.0.2:9090")));
            ServiceViewBuilder after = dns("10.1.0.1").nodePort(0);
            SweepNotes.note(sweep, PLANNER, keys(after), wanted(after), NOON);
            assertThat(sweep.sweep(NOON))
                    .as("the kernel lists two of five")
                    .isEqualTo(new SweepReport(3, 2, 1, Optional.empty(), Optional.empty()));
            assertThat(client.list(new FlowFilter.All(IpFamily.IPV4))).hasSize(4);
        }
    }

    @Test
    void drainsTcp() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                ConntrackClient client = ConntrackClient.open(NetlinkSockets.of(ns));
                StaleFlowSweep sweep = sweep(ns, Optional.of(Duration.ofMinutes(5)))) {
            ServiceViewBuilder before = dns("10.1.0.1, 10.1.0.2");
            SweepNotes.note(sweep, PLANNER, keys(before), wanted(before), NOON);
            sweep.sweep(NOON);
            client.add(entries(Stream.of(
                    "tcp 172.30.0.10:8000 > 10.1.0.1:9090",
                    "tcp 172.30.0.10:8000 > 10.1.0.2:9090",
                    "tcp 192.168.1.2:32000 > 10.1.0.2:9090",
                    "tcp 8.8.8.8:32000 > 10.1.0.2:9090",
                    "tcp 10.1.0.2:9090 > 10.1.0.2:9090")));
            ServiceViewBuilder after = dns("10.1.0.1");
            SweepNotes.note(sweep, PLANNER, keys(after), wanted(after), NOON);
            SweepReport first = sweep.sweep(NOON);
            assertThat(first.deleted()).isZero();
            assertThat(first.next()).contains(NOON.plusSeconds(300));
            SweepReport second = sweep.sweep(NOON.plusSeconds(300));
            assertThat(second.deleted()).isEqualTo(2);
            assertThat(second.next()).isEmpty();
            assertThat(client.list(new FlowFilter.All(IpFamily.IPV4))).hasSize(3);
        }
    }

    @Test
    void aKernelWithoutConntrackNetlinkIsAClearMessageAndNoFailure() {
        int[] opened = new int[1];
        try (StaleFlowSweep sweep = new StaleFlowSweep(
                IpFamily.IPV4,
                () -> {
                    opened[0]++;
                    return new ConntrackClient(refusing(), refusing());
                },
                Optional.empty())) {
            SweepReport report = sweep.sweep(NOON);
            assertThat(report.problem().orElseThrow()).contains("nf_conntrack_netlink", "EINVAL");
            assertThat(report.next()).contains(NOON.plus(StaleFlowSweep.RETRY));
            assertThat(sweep.sweep(NOON).problem()).as("tried again").isPresent();
            assertThat(opened[0]).isEqualTo(2);
        }
    }

    @Test
    void aListOfWhichAPartWasLostIsReadAgain() {
        boolean[] loses = {true};
        ScriptedKernel kernel = new ScriptedKernel(sent -> {
            int sequence = sent.getFirst().sequence();
            if (sent.getFirst().type() == ConntrackMessages.GET_STATS) {
                return List.of(
                        Answers.data(ConntrackMessages.GET_STATS, 0, sequence, StaleFlowSweepTest::noEntries),
                        Answers.ack(sequence));
            }
            return loses[0] ? List.of(new Arrival.Overrun(), Answers.done(sequence)) : List.of(Answers.done(sequence));
        });
        try (StaleFlowSweep sweep = new StaleFlowSweep(
                IpFamily.IPV4,
                () -> new ConntrackClient(new NetlinkConnection(kernel), refusing()),
                Optional.empty())) {
            SweepReport lost = sweep.sweep(NOON);
            assertThat(lost.problem().orElseThrow()).contains("in 5 attempts a part was lost");
            assertThat(lost.next()).contains(NOON.plus(StaleFlowSweep.RETRY));
            loses[0] = false;
            assertThat(sweep.sweep(NOON.plus(StaleFlowSweep.RETRY)))
                    .isEqualTo(new SweepReport(1, 0, 0, Optional.empty(), Optional.empty()));
            assertThat(sweep.sweep(NOON.plus(StaleFlowSweep.RETRY)).lists()).isZero();
        }
    }

    /** The header of netfilter, and {@code CTA_STATS_GLOBAL_ENTRIES}. */
    private static void noEntries(NlWriter body) {
        body.zeros(4);
        body.u16(8);
        body.u16(1);
        body.u32be(0);
    }

    private static NetlinkConnection refusing() {
        return new NetlinkConnection(new ScriptedKernel(
                sent -> List.of(Answers.refusal(sent.getFirst().sequence(), Errno.EINVAL))));
    }

    private static StaleFlowSweep sweep(NetNs ns, Optional<Duration> drain) {
        return new StaleFlowSweep(IpFamily.IPV4, () -> ConntrackClient.open(NetlinkSockets.of(ns)), drain);
    }

    /** One each, from a client port of its own. */
    private static List<ConntrackEntry> entries(Stream<String> flows) {
        int[] port = {1000};
        return flows.map(flow -> TestFlows.entry(flow, port[0]++, 0)).toList();
    }

    private static Set<ServiceKey> keys(ServiceViewBuilder given) {
        return Set.of(given.view().key());
    }

    private static Map<ServiceKey, ServiceView> wanted(ServiceViewBuilder given) {
        return Map.of(given.view().key(), given.view());
    }
}
