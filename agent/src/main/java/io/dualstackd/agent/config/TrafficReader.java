package io.dualstackd.agent.config;

import io.dualstackd.dataplane.ipvs.IpvsSettings;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ipvs.IpvsTimeouts;
import io.dualstackd.node.DetectLocal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the settings for traffic. */
final class TrafficReader {
    /** Bytes of an interface name without its closing zero: {@code IFNAMSIZ} of {@code linux/if.h}. */
    private static final int MAX_INTERFACE = 15;

    /** {@code MAX_JIFFY_OFFSET} at 1000 ticks a second, the highest rate any kernel is built with, with a margin. */
    private static final long LONGEST_TIMEOUT = 1_000_000;

    private static final Set<Key> IPVS = EnumSet.range(Key.IPVS_SYNC_PERIOD, Key.IPVS_UDP_TIMEOUT);

    enum LocalMode {
        CLUSTER("ClusterCIDR"),
        NODE("NodeCIDR"),
        BRIDGE("BridgeInterface"),
        PREFIX("InterfaceNamePrefix");

        private final String label;

        LocalMode(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    enum VariantChoice {
        AUTO,
        NF_TABLES,
        LEGACY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final ConfigValues configValues;

    TrafficReader(ConfigValues configValues) {
        this.configValues = configValues;
    }

    ProxyMode mode() {
        ProxyMode mode = configValues.choice(Key.MODE, ProxyMode.class);
        if (mode == ProxyMode.IPVS) {
            configValues.warn(
                    Key.MODE,
                    "kube-proxy has deprecated this mode; in nftables mode a connection costs as little, however many Services there"
                            + " are");
        }
        Set<Key> idle = EnumSet.range(Key.MASQUERADE_ALL, Key.NFTABLES_MIN_SYNC_PERIOD);
        idle.addAll(IPVS);
        idle.removeAll(inUse(mode));
        configValues.idle(idle, "in mode " + mode);
        return mode;
    }

    /** The keys of a mode's section, and those of others that it is made from. */
    private Set<Key> inUse(ProxyMode mode) {
        return switch (mode) {
            case IPTABLES -> EnumSet.range(Key.MASQUERADE_ALL, Key.MIN_SYNC_PERIOD);
            case NFTABLES -> {
                Set<Key> keys = EnumSet.range(Key.NFTABLES_MASQUERADE_ALL, Key.NFTABLES_MIN_SYNC_PERIOD);
                keys.add(ownOrGeneral(mode, Key.NFTABLES_SYNC_PERIOD, Key.SYNC_PERIOD));
                keys.add(ownOrGeneral(mode, Key.NFTABLES_MIN_SYNC_PERIOD, Key.MIN_SYNC_PERIOD));
                if (configValues.byFlag(Key.MASQUERADE_ALL)) {
                    keys.add(Key.MASQUERADE_ALL);
                }
                yield keys;
            }
            case IPVS -> {
                Set<Key> keys = EnumSet.of(Key.MASQUERADE_ALL, Key.MASQUERADE_BIT);
                keys.addAll(IPVS);
                yield keys;
            }
        };
    }

    /** The variant of iptables; empty: the one that the host uses. */
    Optional<IptablesVariant> variant() {
        return switch (configValues.choice(Key.IPTABLES_VARIANT, VariantChoice.class)) {
            case AUTO -> Optional.empty();
            case NF_TABLES -> Optional.of(IptablesVariant.NF_TABLES);
            case LEGACY -> Optional.of(IptablesVariant.LEGACY);
        };
    }

    /** All sections are checked, whichever is in use: a mistake in another one is a warning before a change of the mode. */
    AgentConfig.Rules rules(ProxyMode mode) {
        boolean masqueradeAll = configValues.bool(Key.MASQUERADE_ALL);
        AgentConfig.Rules iptables = section(
                configValues.number(Key.MASQUERADE_BIT, 0, 31),
                masqueradeAll,
                configValues.bool(Key.LOCALHOST_NODE_PORTS),
                Key.SYNC_PERIOD,
                Key.MIN_SYNC_PERIOD);
        AgentConfig.Rules nftables = section(
                configValues.number(Key.NFTABLES_MASQUERADE_BIT, 0, 31),
                configValues.bool(Key.NFTABLES_MASQUERADE_ALL)
                        || (masqueradeAll && configValues.byFlag(Key.MASQUERADE_ALL)),
                false,
                ownOrGeneral(mode, Key.NFTABLES_SYNC_PERIOD, Key.SYNC_PERIOD),
                ownOrGeneral(mode, Key.NFTABLES_MIN_SYNC_PERIOD, Key.MIN_SYNC_PERIOD));
        // As with kube-proxy, the mark comes from the section iptables; IPVS serves no loopback address.
        AgentConfig.Rules ipvs =
                section(iptables.masqueradeBit(), masqueradeAll, false, Key.IPVS_SYNC_PERIOD, Key.IPVS_MIN_SYNC_PERIOD);
        return switch (mode) {
            case IPTABLES -> iptables;
            case NFTABLES -> nftables;
            case IPVS -> ipvs;
        };
    }

    /** As with kube-proxy, the flags named after iptables apply to nftables mode, too; they have less precedence than that mode's own. */
    private Key ownOrGeneral(ProxyMode mode, Key own, Key general) {
        return mode == ProxyMode.NFTABLES && !configValues.isGiven(own) && configValues.byFlag(general) ? general : own;
    }

    /** The settings of virtual servers; checked in every mode, and in those without any, a warning says so. */
    AgentConfig.Ipvs ipvs(ProxyMode mode) {
        AgentConfig.Ipvs ipvs = new AgentConfig.Ipvs(
                new IpvsSettings(
                        configValues.nonEmpty(Key.IPVS_SCHEDULER).orElse(IpvsSettings.ROUND_ROBIN),
                        configValues.prefixes(Key.IPVS_EXCLUDE_CIDRS)),
                configValues.bool(Key.IPVS_STRICT_ARP),
                new IpvsTimeouts(
                        seconds(Key.IPVS_TCP_TIMEOUT),
                        seconds(Key.IPVS_TCPFIN_TIMEOUT),
                        seconds(Key.IPVS_UDP_TIMEOUT)));
        if (mode != ProxyMode.IPVS) {
            IPVS.stream()
                    .filter(key -> configValues.isNotable(key) && !configValues.hasProblem(key))
                    .forEach(key -> configValues.warn(key, "has an effect in mode ipvs only"));
        }
        return ipvs;
    }

    /** Whole seconds, as the kernel counts; at least one where a value is given. */
    private int seconds(Key key) {
        Duration timeout = configValues.duration(key);
        long seconds = timeout.toSeconds() + (timeout.toNanosPart() > 0 ? 1 : 0);
        if (seconds > LONGEST_TIMEOUT) {
            configValues.refuse(key, "must be at most " + LONGEST_TIMEOUT + "s: the kernel counts in ticks");
            return 0;
        }
        return (int) seconds;
    }

    private AgentConfig.Rules section(
            int masqueradeBit, boolean masqueradeAll, boolean localhostNodePorts, Key syncPeriod, Key minSyncPeriod) {
        return new AgentConfig.Rules(
                masqueradeBit,
                masqueradeAll,
                localhostNodePorts,
                configValues.period(syncPeriod),
                configValues.pause(minSyncPeriod, syncPeriod));
    }

    DetectLocal detectLocal() {
        LocalMode mode = configValues.choice(Key.DETECT_LOCAL_MODE, LocalMode.class);
        if (mode != LocalMode.CLUSTER && !PodReader.isOfLoneNode(configValues)) {
            configValues.idle(Set.of(Key.CLUSTER_CIDR), "with " + Key.DETECT_LOCAL_MODE.path() + " " + mode);
        }
        List<IpPrefix> clusterCidrs = configValues.prefixes(Key.CLUSTER_CIDR);
        if (clusterCidrs.size() > families(clusterCidrs).size()) {
            configValues.refuse(Key.CLUSTER_CIDR, "must be one value, or two of different IP families");
        }
        return switch (mode) {
            case CLUSTER -> new DetectLocal.ClusterCidr(clusterCidrs);
            case NODE -> new DetectLocal.NodeCidr();
            case BRIDGE -> new DetectLocal.Bridge(interfaceName(Key.BRIDGE_INTERFACE, LocalMode.BRIDGE));
            case PREFIX -> new DetectLocal.InterfacePrefix(interfaceName(Key.INTERFACE_NAME_PREFIX, LocalMode.PREFIX));
        };
    }

    private String interfaceName(Key key, LocalMode mode) {
        String name = configValues.text(key);
        if (name.isEmpty()) {
            configValues.refuse(key, "required with " + Key.DETECT_LOCAL_MODE.path() + " " + mode);
        } else if (name.getBytes(StandardCharsets.UTF_8).length > MAX_INTERFACE
                || name.chars().anyMatch(c -> c == '/' || Character.isWhitespace(c))) {
            configValues.refuse(
                    key, "must be an interface name: at most " + MAX_INTERFACE + " bytes, no \"/\", no blanks");
        }
        return name;
    }

    NodePortAddresses nodePortAddresses(ProxyMode mode) {
        List<String> words = configValues.words(Key.NODE_PORT_ADDRESSES);
        if (words.contains("primary")) {
            if (words.size() > 1) {
                configValues.refuse(Key.NODE_PORT_ADDRESSES, "primary must stand alone");
            }
            return NodePortAddresses.PRIMARY;
        }
        List<IpPrefix> networks = configValues.prefixes(Key.NODE_PORT_ADDRESSES);
        if (!networks.isEmpty()) {
            lonely(networks);
            return new NodePortAddresses.Within(networks);
        }
        return switch (mode) {
            case IPTABLES, IPVS -> NodePortAddresses.ALL;
            case NFTABLES -> NodePortAddresses.PRIMARY;
        };
    }

    /** Warns of a family without a network: it is open everywhere, which is hardly meant in a cluster of both families. */
    private void lonely(List<IpPrefix> networks) {
        Set<IpFamily> named = families(networks);
        Set<IpFamily> cluster = families(configValues.prefixesOrNone(Key.CLUSTER_CIDR));
        if (named.size() == 1 && cluster.size() == 2) {
            IpFamily other =
                    EnumSet.complementOf(EnumSet.copyOf(named)).iterator().next();
            configValues.warn(
                    Key.NODE_PORT_ADDRESSES,
                    "names no " + other + " network, so node ports answer on every " + other
                            + " address; name one, or write primary");
        }
    }

    private static Set<IpFamily> families(List<IpPrefix> networks) {
        return networks.stream().map(IpPrefix::family).collect(Collectors.toSet());
    }
}
