package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pages.health.io.RawHttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 8, 11 and 25: what the node answers over HTTP. */
interface HealthRows {
    int CHECK = 31000;

    NodeUnderTest node();

    private static LabService local(String pods) {
        return LabService.balanced("health", 8, pods)
                .spec("externalTrafficPolicy: Local")
                .spec("healthCheckNodePort: " + CHECK);
    }

    /** From outside and from the node itself; 0 is a refusal. */
    private void awaitStatus(LabMap map, int status) {
        for (Sender from : new Sender[] {Sender.CLIENT, Sender.NODE}) {
            eventually()
                    .untilAsserted(() -> assertThat(RawHttpClient.status(
                                    node().lab().hostOf(from).ns(), map.node(), CHECK))
                            .as("health check from %s", from)
                            .isEqualTo(status));
        }
    }

    /** Round 1 is asked of a node with an endpoint and of one without: our node is one after the other. */
    @ParameterizedTest
    @EnumSource
    default void row8HealthCheckNodePortInThreeRounds(LabMap map) throws Exception {
        for (int round = 1; round <= 3; round += 2) {
            node().put(local("L1"));
            awaitStatus(map, 200);
            node().await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "L1");
            node().put(local("R1"));
            awaitStatus(map, 503);
            node().await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "silence");
            node().await(map, Sender.NODE, map.node(), 30008, Proto.TCP, "R1");
            if (round == 1) {
                node().put(LabService.balanced("health", 8, "R1").spec("externalTrafficPolicy: Cluster"));
                awaitStatus(map, 0);
                node().await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "R1");
            }
        }
        node().remove(local(""));
        awaitStatus(map, 0);
    }

    /** The fallbacks themselves are packet scenarios; this tests what load balancers see meanwhile. */
    @ParameterizedTest
    @EnumSource
    default void row11TerminatingEndpointsServeButAreNoReasonToSendMore(LabMap map) throws Exception {
        node().put(local("L1"));
        awaitStatus(map, 200);
        node().put(local("L1 T"));
        awaitStatus(map, 503);
        node().await(map, Sender.CLIENT, map.node(), 30008, Proto.TCP, "L1");
        node().await(map, Sender.CLIENT, map.vip(8), 80, Proto.UDP, "L1");
        node().remove(local(""));
        awaitStatus(map, 0);
    }

    @Test
    default void row25TheProxysOwnAddresses() throws Exception {
        Ip localhost = LabMap.V4.loopback();
        var ns = node().lab().node();
        assertThat(RawHttpClient.get(ns, localhost, 10256, "/healthz"))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"lastUpdated\"", "\"nodeEligible\": true", "\"IPv4\"", "\"IPv6\"");
        assertThat(RawHttpClient.get(ns, LabMap.V6.loopback(), 10256, "/livez")).startsWith("HTTP/1.1 200 ");
        assertThat(RawHttpClient.get(ns, localhost, 10249, "/proxyMode"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n" + node().mode());
        assertThat(RawHttpClient.get(ns, localhost, 10249, "/metrics"))
                .startsWith("HTTP/1.1 200 ")
                .contains(
                        "dualstackd_family_ready{ip_family=\"IPv4\"} 1.0",
                        "dualstackd_transactions_total{ip_family=\"IPv6\"}");
        assertThat(RawHttpClient.get(ns, localhost, 10249, "/metrics").lines())
                .as("everything is measured where it happens")
                .noneMatch(line -> line.matches("(kubeproxy_sync_full_proxy_rules_duration_seconds"
                        + "|dualstackd_kernel_transaction_seconds|dualstackd_change_seconds)_count.* 0"))
                .anyMatch(
                        line -> line.matches("dualstackd_kernel_transaction_seconds_count\\{ip_family=\"IPv6\"} \\d+"));
        assertThat(RawHttpClient.get(ns, localhost, 10249, "/readyz?verbose"))
                .startsWith("HTTP/1.1 200 ")
                .contains("[+]ipv4-rules ok\n[+]ipv6-rules ok\nreadyz check passed\n");
        assertThat(RawHttpClient.status(ns, LabMap.V4.node(), 10249)).isZero();
        String tainted = """
                {apiVersion: v1, kind: Node, metadata: {name: %s},
                 spec: {taints: [{key: ToBeDeletedByClusterAutoscaler, effect: NoSchedule}]}}
                """.formatted(LabService.NODE);
        node().host().put("node.yaml", tainted);
        eventually()
                .untilAsserted(() -> assertThat(RawHttpClient.get(ns, localhost, 10256, "/healthz"))
                        .startsWith("HTTP/1.1 503 ")
                        .contains("\"nodeEligible\": false", "\"healthy\": true"));
        assertThat(RawHttpClient.get(ns, localhost, 10256, "/livez")).startsWith("HTTP/1.1 200 ");
        node().host().delete("node.yaml");
        eventually()
                .untilAsserted(() -> assertThat(RawHttpClient.get(ns, localhost, 10256, "/healthz"))
                        .startsWith("HTTP/1.1 200 "));
    }
}
