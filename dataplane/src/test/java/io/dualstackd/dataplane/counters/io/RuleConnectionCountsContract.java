package io.dualstackd.dataplane.counters.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.NodeViewBuilder;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of rules, in both variants of iptables mode. */
@Tag("kernel")
abstract class RuleConnectionCountsContract extends ConnectionCountsContract {
    /** {@code nft} or {@code legacy}. */
    abstract String variant();

    /** Tells the syncer that another program changed a chain of the nat table. */
    abstract void invalidate(String chain);

    private Stream<String> tool(String suffix, String... arguments) {
        String tool = (family() == IpFamily.IPV4 ? "iptables-" : "ip6tables-") + variant() + suffix;
        return Stream.concat(
                Stream.of("env", "XTABLES_LOCKFILE=target/counts-xtables.lock", tool), Stream.of(arguments));
    }

    void iptables(String... arguments) throws Exception {
        new NetNsCommands(ns).run(tool("", arguments).toArray(String[]::new));
    }

    private String iptablesSave(String table) throws Exception {
        return new NetNsCommands(ns).run(tool("-save", "-t", table).toArray(String[]::new));
    }

    private void iptablesRestore(String saved) throws Exception {
        new NetNsCommands(ns).feed(saved, tool("-restore").toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void ofEachEndpoint(IpFamily of) throws Exception {
        start(of);
        run(one(numbered(1, true).view()));
        connect(clusterIp(1), 80, 7);
        IpPort endpoint = new IpPort(own(), 9);
        ServicePort port = numbered(1, true).view().ports().getFirst().port();
        CountedEndpoint asked = new CountedEndpoint(port, endpoint);
        CountedEndpoint unknown = new CountedEndpoint(port, new IpPort(external(), 9));
        assertThat(counts().endpoints(List.of(asked, unknown)))
                .isEqualTo(new EndpointCounts(Map.of(asked, 7L), Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void ruleWithNewTargetKeepsItsCounter(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        refresh();
        run(one(numbered(1, true).internalLocal().view()));
        run(one(numbered(1, false).endpoints(own() + " l", 9).internalLocal().view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).isEqualTo(8);
        assertThat(counts().total().connections()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void otherProgramsFlushAndReset(IpFamily of) throws Exception {
        start(of);
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 7);
        connect(own(), NODE_PORT, 3);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(3);

        iptables("-t", "nat", "-F");
        refresh();
        assertThat(connections()).as("while its rule is missing").isEqualTo(7);
        syncer().invalidateAll();
        run(Map.of());
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a flush of a table").isEqualTo(8);
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT).connections()).isEqualTo(3);

        iptables("-t", "nat", "-F", "KUBE-SERVICES");
        invalidate("KUBE-SERVICES");
        run(Map.of());
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a flush of a chain").isEqualTo(9);

        iptables("-t", "nat", "-Z");
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("after a reset of the counters").isEqualTo(10);
        run(one(outside(false).view()));
        run(one(outside(true).view()));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections()).as("and a change").isEqualTo(11);

        iptablesRestore(iptablesSave("nat"));
        connect(clusterIp(1), 80, 1);
        refresh();
        assertThat(connections())
                .as("after another program wrote the rules anew")
                .isEqualTo(12);
    }

    /**
     * The rule that drops attempts at a node port drops them on every address of the node, so more may be lost than came to those on which
     * node ports answer.
     */
    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void dropsOnOtherAddressesDoNotLowerConnections(IpFamily of) throws Exception {
        start(of);
        Ip other = Ip.parse(of == IpFamily.IPV4 ? "192.0.2.11" : "2001:db8::11");
        addAddress(other);
        NodeView node = NodeViewBuilder.node(of)
                .addresses(own().toString(), other.toString())
                .nodePortsIn(own() + "/" + of.bits())
                .podsIn(of == IpFamily.IPV4 ? "10.244.0.0/16" : "fd00:10:244::/56")
                .view();
        assertThat(syncer().run(node, one(outside(true).externalLocal().view())).result())
                .isEqualTo(new Result.InForce());
        connect(own(), NODE_PORT, 3);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, 0, 0));

        connect(other, NODE_PORT, 2);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(3, 0, 2));

        connect(own(), NODE_PORT, 4);
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(5, 0, 2));

        ServiceView service = outside(true).view();
        assertThat(syncer().run(node, Map.of(service.key(), Optional.empty())).result())
                .isEqualTo(new Result.InForce());
        refresh();
        assertThat(counts().nodePort(Proto.TCP, NODE_PORT)).isEqualTo(new Attempts(0, 0, 0));
    }
}
