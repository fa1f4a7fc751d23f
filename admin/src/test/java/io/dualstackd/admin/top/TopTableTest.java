package io.dualstackd.admin.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopTableTest {
    private static Tree.Mapping frontend(String service, String family, long connections, long refused, String state) {
        return Tree.object("namespace", "shop")
                .with("service", service)
                .with("frontend", family + ":80/tcp")
                .with("family", family)
                .with("type", "ClusterIP")
                .with("state", state)
                .with("endpoints", 2)
                .with("connections", connections)
                .with("refused", refused)
                .with("dropped", 1);
    }

    private static Tree.Mapping answer(long atMillis, Tree.Mapping... frontends) {
        return Tree.object("atMillis", atMillis).with("frontends", List.of(frontends));
    }

    @Test
    void ratesBetweenTwoReadingsTheBusiestFirst() {
        Tree.Mapping before =
                answer(10_000, frontend("calm", "IPv4", 900, 0, "ok"), frontend("busy", "IPv4", 100, 4, "ok"));
        Tree.Mapping now = answer(
                12_000,
                frontend("calm", "IPv4", 901, 0, "ok"),
                frontend("busy", "IPv4", 120, 7, "ok").with("activeFlows", 7).with("lastChangeMillis", 9_000),
                frontend("busy", "IPv6", 5, 0, "no endpoint").with("activeFlows", 2));
        // A frontend that is new had none before.
        assertThat(new TopTable(false).of(Optional.of(before), now, 10)).isEqualToNormalizingNewlines("""
                2 Services: 13.0 connections/s, 1.5 refused/s, 0.5 dropped/s

                SERVICE     IPV4/S   IPV6/S   REFUSED/S   DROPPED/S   IPV4   IPV6   REFUSED   DROPPED   ACTIVE   ENDPOINTS   CHANGED   STATE
                shop/busy   10.0     2.5      1.5         0.5         120    5      7         2         9        2/2         3s        no endpoint
                shop/calm   0.5      -        0.0         0.0         901    -      0         1         -        2/-         -         ok
                """);
    }

    @Test
    void theFirstReadingHasNoRates() {
        Tree.Mapping now = answer(12_000, frontend("busy", "IPv4", 120, 7, "ok"), frontend("busy", "IPv6", 5, 0, "ok"));
        assertThat(new TopTable(true).of(Optional.empty(), now, 1)).isEqualToNormalizingNewlines("""
                FRONTEND                          IPV4/S   IPV6/S   REFUSED/S   DROPPED/S   IPV4   IPV6   REFUSED   DROPPED   ACTIVE   ENDPOINTS   CHANGED   STATE
                shop/busy IPv4:80/tcp ClusterIP   -        -        -           -           120    -      7         1         -        2/-         -         ok
                … and 1 more
                """);
    }

    /** Rules that were made anew while the daemon was down count from zero. */
    @Test
    void resetCountHasNoRate() {
        Tree.Mapping before = answer(10_000, frontend("web", "IPv4", 900, 0, "ok"));
        Tree.Mapping now = answer(11_000, frontend("web", "IPv4", 3, 0, "ok"));
        assertThat(new TopTable(false).of(Optional.of(before), now, 10)).startsWith("1 Services: 0.0 connections/s");
    }

    private static Tree.Mapping endpoint(String address, long active) {
        return Tree.object("namespace", "shop")
                .with("service", "web")
                .with("port", "http")
                .with("protocol", "tcp")
                .with("endpoint", address)
                .with("state", "ok")
                .with("activeFlows", active);
    }

    @Test
    void endpointsTheBusiestFirst() {
        Tree.Mapping before = Tree.object("atMillis", 10_000)
                .with("endpoints", List.of(endpoint("10.0.0.2:80", 0).with("connections", 4)));
        Tree.Mapping now = Tree.object("atMillis", 12_000)
                .with("flowsNotListed", "conntrack cannot be listed: EPERM")
                .with(
                        "endpoints",
                        List.of(
                                endpoint("10.0.0.1:80", 0),
                                endpoint("10.0.0.2:80", 2).with("connections", 9),
                                endpoint("10.0.0.3:80", 7)));
        assertThat(EndpointTable.of(Optional.of(before), now, 2)).isEqualToNormalizingNewlines("""
                ENDPOINT          SERVICE         CONNECTIONS/S   CONNECTIONS   ACTIVE   STATE
                10.0.0.2:80/tcp   shop/web:http   2.5             9             2        ok
                10.0.0.3:80/tcp   shop/web:http   -               -             7        ok
                … and 1 more
                conntrack cannot be listed: EPERM
                """);
    }
}
