package io.dualstackd.dataplane.flows;

import static io.dualstackd.dataplane.model.NodeViewBuilder.node;
import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaleFlowsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ServiceKey DNS = new ServiceKey("ns", "dns");
    private static final NodeView NODE =
            node(IpFamily.IPV4).addresses("192.168.0.2", "192.168.1.2").view();
    private static final Planner PLANNER = Planner.of(NODE);

    private final StaleFlows flows = new StaleFlows(IpFamily.IPV4, Optional.empty());

    /** One serving endpoint, one not ready, one terminating; ClusterIP, VIP, external IP, node port. */
    private static ServiceViewBuilder dns(String endpoints) {
        return service("dns", "172.30.0.10")
                .protocols(Proto.TCP, Proto.UDP, Proto.SCTP)
                .port(8000)
                .nodePort(32000)
                .loadBalancerIps("1.2.3.4")
                .externalIps("5.6.7.8")
                .endpoints(endpoints, 9090);
    }

    /** Where connection tracking cannot be listed, no sweep ever empties what waits for one. */
    @Test
    void onlyTheNewestWaitForASweep() {
        Set<Integer> waiting = new LinkedHashSet<>();
        for (int n = 0; n < StaleFlows.MOST_WAITING + 3; n++) {
            waiting.add(n);
            StaleFlows.forgetOldest(waiting);
        }
        assertThat(waiting).hasSize(StaleFlows.MOST_WAITING).startsWith(3).endsWith(StaleFlows.MOST_WAITING + 2);
    }

    private void now(ServiceViewBuilder given) {
        flows.changed(given.view().key(), Optional.of(given.view()), NOON);
    }

    private boolean stale(String flow) {
        return stale(plan(), flow);
    }

    private static boolean stale(SweepPlan plan, String flow) {
        return plan.stale().test(TestFlows.listed(TestFlows.entry(flow)));
    }

    private SweepPlan plan() {
        return flows.plan(NOON).orElseThrow();
    }

    private void settled() {
        flows.done(plan());
        assertThat(flows.plan(NOON)).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            stays | udp 172.30.0.10:8000 > 10.1.0.1:9090 | to the endpoint that serves
            goes  | udp 172.30.0.10:8000 > 10.1.0.2:9090 | to one that does not
            goes  | udp 172.30.0.10:8000 > 10.1.0.3:9090 | to one that was deleted
            stays | udp 172.30.0.10:8000 > 10.1.0.4:9090 | to one that terminates and serves
            goes  | udp 172.30.0.10:8000 > 10.1.0.1:9091 | to an old port of it
            goes  | udp 172.30.0.10:8000 > 172.30.0.10:8000 | older than the Service
            stays | udp 172.30.0.10:3000 > 10.1.0.3:9090 | another port
            goes  | udp 1.2.3.4:8000 > 10.1.0.3:9090     | load balancer
            goes  | udp 5.6.7.8:8000 > 10.1.0.3:9090     | external IP
            stays | udp 5.6.7.8:8000 > 10.1.0.1:9090     | external IP, serving
            goes  | udp 192.168.0.2:32000 > 10.1.0.3:9090 | node port
            goes  | udp 192.168.1.2:32000 > 10.1.0.3:9090 | node port at the other address
            goes  | udp 127.0.0.1:32000 > 10.1.0.3:9090  | node port at loopback
            goes  | udp 192.168.0.2:32000 > 192.168.0.2:32000 | node port, older than the Service
            stays | udp 192.168.0.2:32000 > 10.1.0.1:9090 | node port, serving
            stays | udp 8.8.8.8:32000 > 8.8.8.8:32000    | same port at an unrelated host
            stays | udp 8.8.8.8:32000 > 10.1.0.3:9090    | same port at an unrelated host, translated by another
            stays | udp 192.168.0.2:32001 > 10.1.0.3:9090 | a node port nobody owns
            stays | tcp 172.30.0.10:8000 > 10.1.0.3:9090 | TCP
            stays | sctp 172.30.0.10:8000 > 10.1.0.3:9090 | SCTP
            stays | tcp 192.168.0.2:32000 > 10.1.0.3:9090 | TCP node port
            """)
    void judges(String verdict, String flow, String why) {
        flows.node(Planner.of(node(IpFamily.IPV4)
                .addresses("192.168.0.2", "192.168.1.2")
                .localhostNodePorts(true)
                .view()));
        now(dns("10.1.0.1, 10.1.0.2 u, 10.1.0.4 T"));
        assertThat(stale(flow)).as(why).isEqualTo(verdict.equals("goes"));
    }

    /** The specification's table: every reply address × protocol × destination, then those not translated. */
    @Test
    void keepsWhatTheSpecificationKeeps() {
        flows.node(PLANNER);
        now(dns("10.1.0.1, 10.1.0.2 u"));
        SweepPlan plan = plan();
        List<String> all = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String vip : List.of(
                "172.30.0.10:8000",
                "1.2.3.4:8000",
                "5.6.7.8:8000",
                "192.168.0.2:32000",
                "172.30.0.10:3000",
                "1.2.3.4:3000",
                "5.6.7.8:3000")) {
            for (String proto : List.of("udp", "tcp", "sctp")) {
                for (String reply : List.of("10.1.0.1:9090", "10.1.0.2:9090", "10.1.0.3:9090", "10.1.0.1:9999", vip)) {
                    String flow = proto + " " + vip + " > " + reply;
                    all.add(flow);
                    if (proto.equals("udp") && !vip.endsWith(":3000") && !reply.equals("10.1.0.1:9090")) {
                        expected.add(flow);
                    }
                }
            }
        }
        assertThat(all.stream().filter(flow -> stale(plan, flow))).containsExactlyElementsOf(expected);
        assertThat(expected).hasSize(16);
    }

    @Test
    void leavesOtherZonesAlone() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        String flow = "udp 172.30.0.10:8000 > 10.1.0.3:9090";
        assertThat(plan().stale().test(TestFlows.listed(TestFlows.entry(flow, 1000, 7))))
                .isFalse();
        assertThat(stale(flow)).isTrue();
    }

    @Test
    void aServiceThatLosesAllEndpointsLosesItsFlows() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        settled();
        now(dns("–"));
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 192.168.0.2:32000 > 10.1.0.1:9090")).isTrue();
    }

    @Test
    void aDeletedServiceLosesItsTranslatedFlows() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        settled();
        flows.changed(DNS, Optional.empty(), NOON);
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 192.168.0.2:32000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 5.6.7.8:8000 > 5.6.7.8:8000"))
                .as("now the real host's")
                .isFalse();
        assertThat(stale("udp 8.8.8.8:32000 > 10.1.0.1:9090")).isFalse();
        assertThat(stale("udp 172.30.0.11:8000 > 10.1.0.1:9090")).isFalse();
        settled();
    }

    @Test
    void aRemovedFrontendLosesItsFlowsTheOthersKeepThem() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        settled();
        now(dns("10.1.0.1").externalIps().nodePort(0));
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 192.168.0.2:32000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090")).isFalse();
        assertThat(plan().filters()).hasToString("[udp flows to 5.6.7.8:8000, IPv4 udp flows to port 32000]");
    }

    @Test
    void firstEndpointsAndLostOnesAreReasonsToLookMoreEndpointsAreNone() {
        flows.node(PLANNER);
        settled();
        now(dns("–").nodePort(0).externalIps());
        assertThat(plan().filters()).hasToString("[udp flows to 172.30.0.10:8000, udp flows to 1.2.3.4:8000]");
        settled();
        now(dns("10.1.0.2 u").nodePort(0).externalIps());
        assertThat(flows.plan(NOON)).as("still none that serves").isEmpty();
        now(dns("10.1.0.2").nodePort(0).externalIps());
        assertThat(plan().filters()).as("zero to one").hasSize(2);
        assertThat(stale("udp 172.30.0.10:8000 > 172.30.0.10:8000")).isTrue();
        settled();
        now(dns("10.1.0.2, 10.1.0.3").nodePort(0).externalIps());
        assertThat(flows.plan(NOON)).as("one more").isEmpty();
        now(dns("10.1.0.2 T, 10.1.0.3").nodePort(0).externalIps());
        assertThat(flows.plan(NOON)).as("terminates, but serves").isEmpty();
        now(dns("10.1.0.2 X, 10.1.0.3").nodePort(0).externalIps());
        assertThat(plan().filters()).as("serves no more").hasSize(2);
        settled();
        now(dns("10.1.0.4").nodePort(0).externalIps());
        assertThat(plan().filters()).as("replaced").hasSize(2);
    }

    @Test
    void policiesDoNotMatter() {
        flows.node(PLANNER);
        now(dns("10.1.0.1 l, 10.1.0.2").internalLocal().externalLocal());
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.2:9090"))
                .as("remote, serving")
                .isFalse();
        settled();
        now(dns("10.1.0.2").internalLocal().externalLocal());
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090"))
                .as("the local one went")
                .isTrue();
    }

    @Test
    void firstSweepCoversAllDestinationsAndUnownedServiceAddresses() {
        flows.node(Planner.of(node(IpFamily.IPV4)
                .addresses("192.168.0.2")
                .serviceCidrs(IpPrefix.parse("172.30.0.0/16"))
                .view()));
        now(dns("10.1.0.1"));
        assertThat(plan().filters()).hasToString("[all IPv4 udp flows]");
        String forgotten = "udp 172.30.0.99:53 > 10.1.0.7:53";
        assertThat(stale(forgotten)).isTrue();
        assertThat(stale("udp 172.30.0.99:53 > 172.30.0.99:53"))
                .as("not translated")
                .isFalse();
        assertThat(stale("tcp 172.30.0.99:53 > 10.1.0.7:53")).isFalse();
        assertThat(stale("udp 172.31.0.99:53 > 10.1.0.7:53")).isFalse();
        settled();
        flows.suspectAll();
        assertThat(plan().filters()).hasToString("[all IPv4 udp flows]");
        assertThat(stale(forgotten)).as("later it may be another proxy's").isFalse();
        assertThat(stale("udp 172.30.0.10:8000 > 172.30.0.10:8000")).isTrue();
    }

    @Test
    void unfinishedDeletionsAreRetried() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        flows.changed(DNS, Optional.empty(), NOON);
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090"))
                .as("gone before the first look")
                .isTrue();
        settled();
        now(dns("10.1.0.1"));
        settled();
        now(dns("10.1.0.2"));
        plan();
        flows.changed(DNS, Optional.empty(), NOON);
        assertThat(plan().filters()).hasSize(4);
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.2:9090")).isTrue();
    }

    @Test
    void nodePortsFollowTheNodesAddresses() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        settled();
        flows.node(Planner.of(
                node(IpFamily.IPV4).addresses("192.168.0.2", "192.168.3.2").view()));
        assertThat(plan().filters()).hasToString("[IPv4 udp flows to port 32000]");
        assertThat(stale("udp 192.168.3.2:32000 > 192.168.3.2:32000"))
                .as("a new address")
                .isTrue();
        assertThat(stale("udp 192.168.1.2:32000 > 10.1.0.1:9090"))
                .as("a former address")
                .isTrue();
        assertThat(stale("udp 192.168.0.2:32000 > 10.1.0.1:9090")).isFalse();
    }

    /** The link of a pod brings one, and no connection is older than such an address. */
    @Test
    void aLinkLocalAddressThatComesOrGoesIsNoReasonToLook() {
        StaleFlows six = new StaleFlows(IpFamily.IPV6, Optional.empty());
        Planner before = Planner.of(node(IpFamily.IPV6).addresses("2001:db8::1").view());
        six.node(before);
        ServiceViewBuilder given = service("dns", "fd96::10")
                .protocols(Proto.UDP)
                .port(53)
                .nodePort(32000)
                .endpoints("fd10::1", 5353);
        six.changed(DNS, Optional.of(given.view()), NOON);
        six.done(six.plan(NOON).orElseThrow());
        six.node(Planner.of(
                node(IpFamily.IPV6).addresses("2001:db8::1", "fe80::1").view()));
        assertThat(six.plan(NOON)).isEmpty();
        six.suspectAll();
        SweepPlan all = six.plan(NOON).orElseThrow();
        assertThat(stale(all, "udp [fe80::1]:32000 > [fd10::3]:5353"))
                .as("a node port answers there, too")
                .isTrue();
        six.done(all);
        six.node(before);
        assertThat(six.plan(NOON)).isEmpty();
    }

    @Test
    void nodePortsAnswerOnConfiguredAddressesOnly() {
        flows.node(Planner.of(node(IpFamily.IPV4)
                .addresses("192.168.0.2", "192.168.1.2")
                .nodePortsOn(NodePortAddresses.PRIMARY)
                .view()));
        now(dns("10.1.0.1"));
        assertThat(stale("udp 192.168.0.2:32000 > 10.1.0.3:9090")).isTrue();
        assertThat(stale("udp 192.168.1.2:32000 > 10.1.0.3:9090"))
                .as("somebody else's rule")
                .isFalse();
    }

    @Test
    void anExternalIpOfTwoServicesKeepsTheFlowsOfBoth() {
        flows.node(PLANNER);
        now(dns("10.1.0.1"));
        now(service("dns-2", "172.30.0.11")
                .protocols(Proto.UDP)
                .port(8000)
                .externalIps("5.6.7.8")
                .endpoints("10.1.0.2", 9090));
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.1:9090")).isFalse();
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.2:9090")).isFalse();
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.3:9090")).isTrue();
        flows.changed(DNS, Optional.empty(), NOON);
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 5.6.7.8:8000 > 10.1.0.2:9090")).isFalse();
    }

    @Test
    void anAddressThatMovesToAnotherServiceIsJudgedByTheNewOne() {
        flows.node(PLANNER);
        now(dns("10.1.0.1").nodePort(0).externalIps());
        settled();
        flows.changed(DNS, Optional.empty(), NOON);
        now(service("new", "172.30.0.10").protocols(Proto.UDP).port(8000).endpoints("10.1.0.2", 9090));
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.1:9090")).isTrue();
        assertThat(stale("udp 172.30.0.10:8000 > 10.1.0.2:9090")).isFalse();
    }

    @Test
    void sixOfIpv6() {
        StaleFlows six = new StaleFlows(IpFamily.IPV6, Optional.empty());
        six.node(Planner.of(node(IpFamily.IPV6).addresses("2001:db8::1").view()));
        ServiceViewBuilder given = service("dns", "fd96::10")
                .protocols(Proto.UDP)
                .port(53)
                .nodePort(32000)
                .endpoints("fd10::1, fd10::2", 5353);
        six.changed(DNS, Optional.of(given.view()), NOON);
        SweepPlan plan = six.plan(NOON).orElseThrow();
        assertThat(stale(plan, "udp [fd96::10]:53 > [fd10::1]:5353")).isFalse();
        assertThat(stale(plan, "udp [fd96::10]:53 > [fd10::2]:5353")).isFalse();
        assertThat(stale(plan, "udp [fd96::10]:53 > [fd10::3]:5353")).isTrue();
        assertThat(stale(plan, "udp [fd96::10]:53 > [fd10::1]:53")).isTrue();
        assertThat(stale(plan, "udp [2001:db8::1]:32000 > [fd10::3]:5353")).isTrue();
        assertThat(stale(plan, "udp [2001:db8::2]:32000 > [fd10::3]:5353")).isFalse();
    }

    @Test
    void manyChangesAreOneLook() {
        flows.node(PLANNER);
        settled();
        for (int i = 1; i <= 5; i++) {
            now(service("svc-" + i, "172.30.0." + i)
                    .protocols(Proto.UDP)
                    .port(53)
                    .endpoints("10.1.0.1", 53));
        }
        assertThat(plan().filters()).as("one port").hasToString("[IPv4 udp flows to port 53]");
        for (int i = 1; i <= 5; i++) {
            now(service("svc-" + i, "172.30.0." + i)
                    .protocols(Proto.UDP)
                    .port(53 + i)
                    .endpoints("10.1.0.1", 53));
        }
        assertThat(plan().filters()).hasToString("[all IPv4 udp flows]");
    }

    @Test
    void tcpIsDrainedOnlyOnRequest() {
        flows.node(PLANNER);
        settled();
        now(service("web", "172.30.0.20").endpoints("10.1.0.1", 8080));
        now(service("web", "172.30.0.20").endpoints("10.1.0.2", 8080));
        assertThat(flows.plan(NOON.plus(Duration.ofDays(1)))).isEmpty();
        assertThat(flows.next()).isEmpty();
    }

    /** Drains after five minutes, and has done the first sweep. */
    private static StaleFlows draining() {
        StaleFlows flows = new StaleFlows(IpFamily.IPV4, Optional.of(Duration.ofMinutes(5)));
        flows.node(PLANNER);
        flows.done(flows.plan(NOON).orElseThrow());
        return flows;
    }

    @Test
    void tcpConnectionsToEndpointsGoneForLongAreDrained() {
        StaleFlows draining = draining();
        ServiceViewBuilder web =
                service("web", "172.30.0.20").nodePort(30020).endpoints("10.1.0.1, 10.1.0.2, 10.1.0.3", 8080);
        draining.changed(web.view().key(), Optional.of(web.view()), NOON);
        assertThat(draining.next()).isEmpty();
        ServiceViewBuilder less = service("web", "172.30.0.20").nodePort(30020).endpoints("10.1.0.1 X, 10.1.0.3", 8080);
        draining.changed(web.view().key(), Optional.of(less.view()), NOON);
        assertThat(draining.plan(NOON.plusSeconds(299))).isEmpty();
        Instant due = NOON.plusSeconds(300);
        assertThat(draining.next()).contains(due);
        SweepPlan plan = draining.plan(due).orElseThrow();
        assertThat(plan.filters()).hasToString("[tcp flows to 172.30.0.20:80, IPv4 tcp flows to port 30020]");
        assertThat(stale(plan, "tcp 172.30.0.20:80 > 10.1.0.2:8080")).isTrue();
        assertThat(stale(plan, "tcp 192.168.0.2:30020 > 10.1.0.2:8080")).isTrue();
        assertThat(stale(plan, "tcp 172.30.0.20:80 > 10.1.0.1:8080"))
                .as("terminates, but is there")
                .isFalse();
        assertThat(stale(plan, "tcp 172.30.0.20:80 > 10.1.0.3:8080")).isFalse();
        assertThat(stale(plan, "tcp 172.30.0.21:80 > 10.1.0.2:8080"))
                .as("another Service")
                .isFalse();
        assertThat(stale(plan, "tcp 10.1.0.2:8080 > 10.1.0.2:8080"))
                .as("without a Service")
                .isFalse();
        assertThat(stale(plan, "tcp 8.8.8.8:30020 > 10.1.0.2:8080")).isFalse();
        assertThat(stale(plan, "udp 172.30.0.20:80 > 10.1.0.2:8080")).isFalse();
        draining.done(plan);
        assertThat(draining.next()).isEmpty();
        assertThat(draining.plan(due)).isEmpty();
    }

    /** A time that has passed and stays the next one would make the reconciler sync without a pause. */
    @Test
    void anEndpointThatCameBackIsNoReasonForAnotherLook() {
        StaleFlows draining = draining();
        ServiceViewBuilder both = service("web", "172.30.0.20").port(80).endpoints("10.1.0.1, 10.1.0.2", 8080);
        ServiceViewBuilder one = service("web", "172.30.0.20").port(80).endpoints("10.1.0.2", 8080);
        ServiceKey web = both.view().key();
        draining.changed(web, Optional.of(both.view()), NOON);
        draining.changed(web, Optional.of(one.view()), NOON);
        draining.changed(web, Optional.of(both.view()), NOON.plusSeconds(1));
        Instant due = NOON.plusSeconds(300);
        assertThat(draining.plan(due)).isEmpty();
        assertThat(draining.next()).isEmpty();
    }

    @Test
    void anEndpointThatCameBackIsNotDrained() {
        StaleFlows draining = draining();
        ServiceViewBuilder both = service("web", "172.30.0.20").endpoints("10.1.0.1, 10.1.0.2", 8080);
        ServiceViewBuilder one = service("web", "172.30.0.20").endpoints("10.1.0.1", 8080);
        ServiceKey web = both.view().key();
        draining.changed(web, Optional.of(both.view()), NOON);
        draining.changed(web, Optional.of(one.view()), NOON);
        draining.changed(web, Optional.of(both.view()), NOON.plusSeconds(60));
        assertThat(draining.plan(NOON.plusSeconds(300))).isEmpty();
        draining.changed(web, Optional.of(one.view()), NOON.plusSeconds(200));
        assertThat(draining.plan(NOON.plusSeconds(300)))
                .as("the time counts from the last farewell")
                .isEmpty();
        assertThat(draining.plan(NOON.plusSeconds(500))).isPresent();
        draining.changed(web, Optional.empty(), NOON.plusSeconds(600));
        SweepPlan plan = draining.plan(NOON.plusSeconds(900)).orElseThrow();
        assertThat(stale(plan, "tcp 172.30.0.20:80 > 10.1.0.1:8080"))
                .as("a deleted Service")
                .isTrue();
    }

    /** Its node port changed: nothing is wrong with connections through the former one. */
    @Test
    void anEndpointThatIsThereIsNotDrainedWhenAFrontendGoes() {
        StaleFlows draining = draining();
        ServiceViewBuilder former =
                service("web", "172.30.0.20").nodePort(30020).endpoints("10.1.0.1, 10.1.0.2", 8080);
        ServiceViewBuilder now = service("web", "172.30.0.20").nodePort(30030).endpoints("10.1.0.1, 10.1.0.2", 8080);
        ServiceViewBuilder less = service("web", "172.30.0.20").nodePort(30030).endpoints("10.1.0.1", 8080);
        ServiceKey web = former.view().key();
        draining.changed(web, Optional.of(former.view()), NOON);
        draining.changed(web, Optional.of(now.view()), NOON);
        assertThat(draining.plan(NOON.plusSeconds(300))).isEmpty();
        assertThat(draining.next()).contains(NOON.plusSeconds(600));
        draining.changed(web, Optional.of(less.view()), NOON.plusSeconds(400));
        SweepPlan plan = draining.plan(NOON.plusSeconds(700)).orElseThrow();
        assertThat(stale(plan, "tcp 192.168.0.2:30020 > 10.1.0.2:8080")).isTrue();
        assertThat(stale(plan, "tcp 192.168.0.2:30030 > 10.1.0.2:8080")).isTrue();
        assertThat(stale(plan, "tcp 192.168.0.2:30020 > 10.1.0.1:8080")).isFalse();
    }
}
