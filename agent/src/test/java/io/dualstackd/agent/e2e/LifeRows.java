package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 21 and 22: the daemon restarts, its rules are wiped, Services come back elsewhere. */
interface LifeRows {
    NodeUnderTest node();

    private void up(LabMap map, int number, String server) {
        node().await(map, Sender.POD, map.clusterIp(number), 80, Proto.TCP, server);
        node().await(map, Sender.CLIENT, map.node(), 30000 + number, Proto.UDP, server);
    }

    @ParameterizedTest
    @EnumSource
    default void row21RestartOfTheProxy(LabMap map) throws Exception {
        LabService first = LabService.nodePort("first", 21, "L1");
        LabService second = LabService.nodePort("second", 31, "R1");
        node().put(first);
        node().put(second);
        up(map, 21, "L1");
        up(map, 31, "R1");
        node().restart();
        up(map, 21, "L1");
        node().put(LabService.nodePort("second", 31, "R2"));
        up(map, 31, "R2");
        node().remove(first);
        node().remove(second);
    }

    /** Everything in nf_tables goes, ours and what others would have. */
    @ParameterizedTest
    @EnumSource
    default void row21RulesAreWiped(LabMap map) throws Exception {
        LabService wiped = LabService.nodePort("wiped", 21, "L1");
        node().put(wiped);
        up(map, 21, "L1");
        node().host().commands().run("nft", "flush", "ruleset");
        up(map, 21, "L1");
        node().remove(wiped);
    }

    @ParameterizedTest
    @EnumSource
    default void row21AServiceIsRecreated(LabMap map) throws Exception {
        LabService service = LabService.nodePort("again", 21, "L1");
        node().put(service);
        up(map, 21, "L1");
        // The slices outlive the Service.
        node().host().put("again.yaml", String.join("", service.slices()));
        node().awaitRefused(map, Sender.POD, map.clusterIp(21), 80, Proto.TCP);
        node().awaitRefused(map, Sender.CLIENT, map.node(), 30021, Proto.TCP);
        LabService elsewhere = LabService.nodePort("again", 41, "L1");
        node().put(elsewhere);
        up(map, 41, "L1");
        node().remove(elsewhere);
    }

    @ParameterizedTest
    @EnumSource
    default void row22AServiceFromALaterServiceCidr(LabMap map) throws Exception {
        String ip4 = "198.18.0.10";
        String ip6 = "2001:db8:cb00::a";
        node().host().put("cidr.yaml", """
                apiVersion: networking.k8s.io/v1
                kind: ServiceCIDR
                metadata: {name: later}
                spec: {cidrs: [198.18.0.0/24, "2001:db8:cb00::/64"]}
                """);
        LabService service = LabService.nodePort("later", 22, "L1, R1").at(ip4, ip6);
        node().put(service);
        Ip ip = Ip.parse(map == LabMap.V4 ? ip4 : ip6);
        node().await(map, Sender.POD, ip, 80, Proto.TCP, "L1 R1");
        node().await(map, Sender.NODE, ip, 80, Proto.UDP, "L1 R1");
        node().await(map, Sender.CLIENT, map.node(), 30022, Proto.TCP, "L1 R1");
        node().remove(service);
        node().awaitRefused(map, Sender.POD, ip, 80, Proto.TCP);
        node().host().delete("cidr.yaml");
        eventually()
                .untilAsserted(() -> assertThat(node().host()
                                .run(
                                        "status",
                                        "--admin-socket",
                                        node().host().socket().toString())
                                .exitCode())
                        .isZero());
    }
}
