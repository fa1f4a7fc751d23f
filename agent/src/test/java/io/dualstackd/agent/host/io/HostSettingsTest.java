package io.dualstackd.agent.host.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.kubeapi.store.ChangeMetadata;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteOrigin;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.NodeSettingsBuilder;
import io.dualstackd.node.NodeViews;
import io.dualstackd.node.OwnAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In namespaces of the test's own. */
@Tag("kernel")
final class HostSettingsTest {
    private static final NodeSettings NODE = new NodeSettings(
            "n1",
            Optional.empty(),
            Optional.empty(),
            new DetectLocal.ClusterCidr(List.of()),
            NodePortAddresses.PRIMARY,
            false,
            14,
            false,
            true);
    private static final String ACCEPT_RA = "net/ipv6/conf/eth0/accept_ra";

    @ParameterizedTest
    @EnumSource
    void forwardingIsSwitchedOnIfThatIsAllowed(IpFamily family) throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            Sysctl.write(ns, Forwarding.key(family), "0");
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, false))
                    .hasValueSatisfying(note -> assertThat(note)
                            .contains(" is 0: no " + family + " packet is forwarded", "--set-forwarding=false"));
            assertThat(Sysctl.read(ns, Forwarding.key(family))).isEqualTo("0");
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, true)).isEmpty();
            assertThat(Sysctl.read(ns, Forwarding.key(family))).isEqualTo("1");
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, false)).isEmpty();
        }
    }

    /** {@code conf/default} is for interfaces that come later, such as those of pods. */
    @ParameterizedTest
    @EnumSource
    void forwardingOfSingleInterfacesIsNotOverlooked(IpFamily family) throws Exception {
        String folder = family == IpFamily.IPV4 ? "net/ipv4/conf/" : "net/ipv6/conf/";
        String setting = family == IpFamily.IPV4 ? "/forwarding" : "/force_forwarding";
        try (NetNs ns = FreshNetNs.create();
                RouteClient kernel = RouteClient.open(ns)) {
            if (Sysctl.interfaces(ns, folder, setting.substring(1), "0").isEmpty()) {
                // IPv6 before Linux 6.17, see SysctlTest.
                return;
            }
            kernel.addVeth("eth0", "far");
            Sysctl.write(ns, Forwarding.key(family), "0");
            Sysctl.write(ns, folder + "eth0" + setting, "1");
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, false))
                    .hasValueSatisfying(note -> assertThat(note)
                            .contains(" is 0: only " + family
                                    + " packets that come in through eth0 are forwarded; set it to 1"));
            Sysctl.write(ns, folder + "far" + setting, "1");
            Sysctl.write(ns, folder + "default" + setting, "1");
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, false)).isEmpty();
            assertThat(Forwarding.apply(KernelSettings.of(ns), family, true)).isEmpty();
            assertThat(Sysctl.read(ns, Forwarding.key(family))).isEqualTo("0");
        }
    }

    /** A kernel that forwards ignores router advertisements, unless configured otherwise. */
    @Test
    void forwardingDoesNotCostTheHostItsDefaultRoute() throws Exception {
        try (NetNs ns = FreshNetNs.create();
                RouteClient kernel = RouteClient.open(ns)) {
            Sysctl.write(ns, Forwarding.key(IpFamily.IPV6), "0");
            kernel.addVeth("eth0", "far");
            kernel.change("eth0", new LinkChange.Up());
            kernel.change("far", new LinkChange.Up());
            int eth0 = kernel.indexOf("eth0");
            kernel.add(Address.of(eth0, Ip.parse("fd00::2"), 64));
            Route route = Route.onLink(IpPrefix.parse("::/0"), Ip.parse("fd00::1"), eth0);
            kernel.add(new Route(
                    route.destination(),
                    route.source(),
                    route.tos(),
                    route.table(),
                    RouteOrigin.ROUTER_ADVERTISEMENT,
                    route.scope(),
                    route.type(),
                    route.flags(),
                    route.link(),
                    route.gateway(),
                    route.preferredSource(),
                    route.priority(),
                    route.hops(),
                    route.others()));
            Sysctl.write(ns, ACCEPT_RA, "1");
            assertThat(Forwarding.apply(KernelSettings.of(ns), IpFamily.IPV6, true))
                    .hasValueSatisfying(note -> assertThat(note)
                            .endsWith("so set first: net.ipv6.conf.eth0.accept_ra=2, then"
                                    + " net.ipv6.conf.all.forwarding=1"));
            assertThat(Sysctl.read(ns, Forwarding.key(IpFamily.IPV6))).isEqualTo("0");
            Sysctl.write(ns, ACCEPT_RA, "2");
            assertThat(Forwarding.apply(KernelSettings.of(ns), IpFamily.IPV6, true))
                    .isEmpty();
        }
    }

    @Test
    void aHostWithoutIpv6IsSingleStack() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            Sysctl.write(ns, "net/ipv6/conf/all/disable_ipv6", "0");
            assertThat(FamilySupport.missing(ns)).isEmpty();
            Sysctl.write(ns, "net/ipv6/conf/all/disable_ipv6", "1");
            assertThat(FamilySupport.missing(ns))
                    .isEqualTo(Map.of(IpFamily.IPV6, "net.ipv6.conf.all.disable_ipv6 is 1"));
        }
    }

    /** The kernel takes no timeout of 2³¹ jiffies and more. */
    private static ConfigResult.Usable withImpossibleTimeout() {
        return with(Map.of(
                Key.SET_FORWARDING, "false",
                Key.OOM_SCORE_ADJ, "0",
                Key.CONNTRACK_TCP_CLOSE_WAIT, "596523h"));
    }

    private static ConfigResult.Usable with(Map<Key, String> flags) {
        return (ConfigResult.Usable)
                ConfigReader.read(new ConfigReader.Input(Optional.empty(), Optional.empty(), flags));
    }

    /** As network managers and {@code sysctl --system} do. */
    @ParameterizedTest
    @EnumSource
    void forwardingThatIsSwitchedOffIsNoticed(IpFamily family) throws Exception {
        String key = Forwarding.key(family);
        try (NetNs ns = FreshNetNs.create()) {
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(family));
            settings.check();
            settings.apply(with(Map.of(Key.OOM_SCORE_ADJ, "0")), NODE);
            List<String> before = settings.notes();
            Sysctl.write(ns, key, "0");
            settings.check();
            assertThat(Sysctl.read(ns, key)).isEqualTo("1");
            assertThat(settings.notes()).first(STRING).contains("was switched off by another program");
            settings.check();
            assertThat(settings.notes()).isEqualTo(before);

            settings.apply(with(Map.of(Key.SET_FORWARDING, "false", Key.OOM_SCORE_ADJ, "0")), NODE);
            Sysctl.write(ns, key, "0");
            settings.check();
            assertThat(Sysctl.read(ns, key)).isEqualTo("0");
            assertThat(settings.notes()).first(STRING).contains("is 0: no " + family + " packet is forwarded");
            Sysctl.write(ns, key, "1");
            settings.check();
            assertThat(settings.notes()).isEqualTo(before);
        }
    }

    @Test
    void aSettingThatFailsHidesNoOther() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            Sysctl.write(ns, Forwarding.key(IpFamily.IPV4), "0");
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(IpFamily.IPV4));
            assertThatThrownBy(() -> settings.apply(withImpossibleTimeout(), NODE))
                    .isInstanceOf(IOException.class);
            settings.rulesInForce(IpFamily.IPV4, true);
            settings.check();
            assertThat(settings.notes())
                    .anyMatch(note -> note.contains("is 0: no IPv4 packet is forwarded"))
                    .last(STRING)
                    .startsWith("cannot set net.netfilter.nf_conntrack_tcp_timeout_close_wait");
        }
    }

    /** The configuration may have been read again before the first rules; without node ports on 127.0.0.1 no rule guards it any more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withTheFirstRulesTheLastConfigurationIsApplied(boolean localhost) throws Exception {
        String localnet = "net/ipv4/conf/all/route_localnet";
        try (NetNs ns = FreshNetNs.create()) {
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(IpFamily.IPV4));
            for (boolean wanted : new boolean[] {!localhost, localhost}) {
                NodeSettings node = NodeSettingsBuilder.node("n1")
                        .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                        .nodePortsOn(NodePortAddresses.ALL)
                        .localhostNodePorts(wanted)
                        .settings();
                assertThatThrownBy(() -> settings.apply(withImpossibleTimeout(), node))
                        .isInstanceOf(IOException.class);
            }
            Sysctl.write(ns, localnet, "0");
            settings.rulesInForce(IpFamily.IPV4, true);
            assertThat(Sysctl.read(ns, localnet)).isEqualTo(localhost ? "1" : "0");
        }
    }

    private static NodeSettings nodePortsOnLocalhost(boolean wanted) {
        return NodeSettingsBuilder.node("n1")
                .detectLocal(new DetectLocal.ClusterCidr(List.of()))
                .nodePortsOn(NodePortAddresses.ALL)
                .localhostNodePorts(wanted)
                .settings();
    }

    private static void applyAnd(HostSettings settings, NodeSettings node) {
        assertThatThrownBy(() -> settings.apply(withImpossibleTimeout(), node)).isInstanceOf(IOException.class);
    }

    /** The rules in force before the configuration was read again have no guard. */
    @Test
    void nodePortsOnLocalhostThatAreSwitchedOnLaterWaitForTheRulesThatGuardThem() throws Exception {
        String localnet = "net/ipv4/conf/all/route_localnet";
        try (NetNs ns = FreshNetNs.create()) {
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(IpFamily.IPV4));
            Sysctl.write(ns, localnet, "0");
            applyAnd(settings, nodePortsOnLocalhost(false));
            settings.rulesInForce(IpFamily.IPV4, false);
            applyAnd(settings, nodePortsOnLocalhost(true));
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("0");
            settings.rulesInForce(IpFamily.IPV6, true);
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("0");
            settings.rulesInForce(IpFamily.IPV4, true);
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("1");
            Sysctl.write(ns, localnet, "0");
            applyAnd(settings, nodePortsOnLocalhost(true));
            assertThat(Sysctl.read(ns, localnet)).as("the guard is in force").isEqualTo("1");
        }
    }

    /** The result of a sync that began before the configuration was read again comes after it. */
    @Test
    void rulesWithoutTheGuardOpenNothing() throws Exception {
        String localnet = "net/ipv4/conf/all/route_localnet";
        try (NetNs ns = FreshNetNs.create()) {
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(IpFamily.IPV4));
            Sysctl.write(ns, localnet, "0");
            SyncObserver observer = settings.observer();
            FamilyStatus inForce = FamilyStatus.initial(IpFamily.IPV4).in(FamilyStatus.State.IN_FORCE);
            observer.onSnapshot(planner(nodePortsOnLocalhost(false)), Set.of(), ChangeMetadata.NONE);
            applyAnd(settings, nodePortsOnLocalhost(true));
            observer.onStatus(inForce);
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("0");
            observer.onSnapshot(planner(nodePortsOnLocalhost(true)), Set.of(), ChangeMetadata.NONE);
            observer.onStatus(FamilyStatus.initial(IpFamily.IPV4).in(FamilyStatus.State.FAILING));
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("0");
            observer.onStatus(inForce);
            assertThat(Sysctl.read(ns, localnet)).isEqualTo("1");
        }
    }

    private static Planner planner(NodeSettings node) {
        return Planner.of(NodeViews.of(node, Optional.empty(), OwnAddresses.NONE, List.of(), IpFamily.IPV4));
    }

    /** The kernel takes seconds to resize its table of connections. */
    @Test
    void reconcilersDoNotWaitWhileSettingsAreWritten() throws Exception {
        try (NetNs ns = FreshNetNs.create()) {
            HostSettings settings = new HostSettings(KernelSettings.of(ns), Set.of(IpFamily.IPV4));
            applyAnd(settings, nodePortsOnLocalhost(false));
            settings.rulesInForce(IpFamily.IPV4, false);
            Thread reconciler = Thread.ofPlatform().unstarted(() -> settings.rulesInForce(IpFamily.IPV4, false));
            // As apply does.
            synchronized (settings) {
                reconciler.start();
                assertThat(reconciler.join(Duration.ofSeconds(30))).isTrue();
            }
        }
    }

    @Test
    void writesOomScoreOrReportsAnotherValue(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("score"), "0\n");
        assertThat(OomScore.apply(file, -999)).isEmpty();
        assertThat(Files.readString(file)).isEqualTo("-999");
        assertThat(OomScore.apply(folder.resolve("none"), 5))
                .hasValueSatisfying(note ->
                        assertThat(note).startsWith("oom_score_adj is not 5 (").contains("OOMScoreAdjust=5"));
    }
}
