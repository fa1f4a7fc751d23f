package io.dualstackd.dataplane.counters.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.io.IptablesSyncer;
import io.dualstackd.dataplane.io.PushedPass;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.witness.Witness;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of rules, in iptables mode. */
@Tag("kernel")
final class RuleConnectionCountsTest extends ConnectionCountsContract {
    @Override
    Counted counted(IpFamily of) {
        IptablesSyncer syncer = IptablesSyncer.of(of, () -> NlSocket.open(NlProtocol.NETFILTER, ns));
        return new Counted(
                new PushedPass(syncer),
                new RuleConnectionCounts(
                        of, NetlinkSockets.of(ns), syncer.counters().orElseThrow()));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aRuleThatLeadsElsewhereGoesOnCounting(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        refresh();
        run(one(given(1, true).internalLocal().view()));
        run(one(given(1, false).endpoints(own() + " l", 9).internalLocal().view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).isEqualTo(8);
        assertThat(counts().total().connections()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void otherProgramsFlushAndReset(IpFamily of) throws Exception {
        String iptables = of == IpFamily.IPV4 ? "iptables-nft" : "ip6tables-nft";
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        connect(own(), NODE_PORT, 3);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(3);

        new Witness(ns).run(iptables, "-t", "nat", "-F");
        refresh();
        assertThat(connections()).as("while its rule is missing").isEqualTo(7);
        pass().forget();
        run(Map.of());
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a flush of a table").isEqualTo(8);
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(3);

        new Witness(ns).run(iptables, "-t", "nat", "-F", "KUBE-SERVICES");
        pass().distrust(Set.of(
                new ChangedObject.InRules(new TableName(NftFamily.of(of), "nat").chain("KUBE-SERVICES"))));
        run(Map.of());
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a flush of a chain").isEqualTo(9);

        new Witness(ns).run(iptables, "-t", "nat", "-Z");
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a reset of the counters").isEqualTo(10);
        run(one(outside(false).view()));
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("and a change").isEqualTo(11);

        String saved = new Witness(ns).run(iptables + "-save", "-t", "nat");
        new Witness(ns).feed(saved, iptables + "-restore");
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections())
                .as("after another program wrote the rules anew")
                .isEqualTo(12);
    }
}
