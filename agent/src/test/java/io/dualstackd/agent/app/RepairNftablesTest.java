package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In nftables mode. */
@Tag("kernel")
final class RepairNftablesTest extends RepairContract {
    RepairNftablesTest() {
        super(ProxyMode.NFTABLES);
    }

    @Override
    String saved(IpFamily family) throws Exception {
        String table = family == IpFamily.IPV4 ? "ip" : "ip6";
        // Elements are listed in the order of a hash, several on a line.
        return Arrays.stream(commands.run("nft", "-s", "list", "table", table, "dualstackd")
                        .split("[,\\s]+", -1))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    @Test
    void anElementThatIsGoneComesBackAlone() throws Exception {
        repaired(IpFamily.IPV4, 1, "nft", "delete element ip dualstackd endpoints { 10.96.0.1 . tcp . 80 . 0 }");
        repaired(IpFamily.IPV4, 1, "nft", "delete element ip dualstackd service-ips-2 { 10.96.0.2 . tcp . 80 }");
        assertThat(status(IpFamily.IPV6).counts().repairs()).isZero();
    }

    @Test
    void anElementOfOthersGoes() throws Exception {
        repaired(IpFamily.IPV4, 1, "nft", "add element ip dualstackd service-ips-2 { 10.99.0.1 . tcp . 80 }");
    }

    @Test
    void rewritesAChain() throws Exception {
        String before = saved(IpFamily.IPV4);
        commands.run("nft", "flush chain ip dualstackd pick-endpoints");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
        assertThat(status(IpFamily.IPV6).counts().repairs()).isZero();
    }

    @Test
    void aTableThatIsGoneComesBack() throws Exception {
        String before = saved(IpFamily.IPV4);
        FamilyStatus six = status(IpFamily.IPV6);
        commands.run("nft", "delete table ip dualstackd");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
        assertThat(status(IpFamily.IPV6)).isSameAs(six);
    }

    @Test
    void allOfItComesBackAfterAFlush() throws Exception {
        List<String> before = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            before.add(saved(family));
        }
        commands.run("nft", "flush", "ruleset");
        for (IpFamily family : IpFamily.values()) {
            until(family, now -> now.counts().repairs() == 1);
            assertThat(saved(family)).isEqualTo(before.removeFirst());
        }
    }

    @Test
    void changesOfForeignTablesCauseNoSync() throws Exception {
        long four = syncs(IpFamily.IPV4);
        long six = syncs(IpFamily.IPV6);
        commands.run(
                "sh",
                "-c",
                "iptables -t nat -N KUBE-SERVICES; iptables -t nat -A PREROUTING -j KUBE-SERVICES;"
                        + "iptables -F; nft add table inet dualstackd; nft add chain inet dualstackd pick-endpoints");
        manyElementsOfOthers();
        // Notifications arrive in order: when this change is repaired, all earlier ones have been received.
        commands.run("nft", "add element ip dualstackd service-ips-2 { 10.99.0.1 . tcp . 80 }");
        until(IpFamily.IPV4, now -> now.counts().repairs() == 1);
        assertThat(syncs(IpFamily.IPV4)).isEqualTo(four + 1);
        assertThat(syncs(IpFamily.IPV6)).isEqualTo(six);
    }
}
