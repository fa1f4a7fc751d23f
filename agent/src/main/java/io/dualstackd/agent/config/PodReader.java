package io.dualstackd.agent.config;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.CniList;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.PodIpOrder;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the settings of this node's pods. */
final class PodReader {
    /** A network of pods has at least four addresses. */
    private static final int HOST_BITS = 2;

    private final ConfigValues configValues;

    private PodReader(ConfigValues configValues) {
        this.configValues = configValues;
    }

    static PodSettings read(ConfigValues configValues) {
        return new PodReader(configValues).settings();
    }

    private PodSettings settings() {
        Optional<RuntimeEndpoint> runtime = configValues
                .nonEmpty(Key.CRI)
                .flatMap(text -> configValues.parsed(Key.CRI, text, RuntimeEndpoint::parse));
        PodCidrs given = configValues
                .parsed(Key.POD_CIDR, configValues.text(Key.POD_CIDR), PodCidrs::parse)
                .orElse(PodCidrs.NONE);
        // Also without a network that they are for: a mistake must be found before there is one.
        configValues.number(Key.NODE_CIDR_MASK_SIZE_IPV4, 0, IpFamily.IPV4.bits());
        configValues.number(Key.NODE_CIDR_MASK_SIZE_IPV6, 0, IpFamily.IPV6.bits());
        return new PodSettings(
                runtime,
                given.equals(PodCidrs.NONE) ? ofLoneNode() : given,
                configValues.bool(Key.LOCAL_FAILOVER),
                configValues.choice(Key.POD_IP_ORDER, PodIpOrder.class),
                cniFile());
    }

    /** Whether the networks of this node's pods are to be made from that of the cluster. */
    static boolean isOfLoneNode(ConfigValues configValues) {
        return !configValues.isGiven(Key.POD_CIDR) && !asking(configValues).isEmpty();
    }

    private static List<Key> asking(ConfigValues configValues) {
        return Stream.of(Key.WRITE_CNI, Key.NODE_CIDR_MASK_SIZE_IPV4, Key.NODE_CIDR_MASK_SIZE_IPV6)
                .filter(configValues::isGiven)
                .toList();
    }

    private Optional<String> cniFile() {
        Optional<String> file = configValues.nonEmpty(Key.WRITE_CNI);
        if (file.isPresent() && !(file.get().startsWith("/") && file.get().endsWith(CniList.SUFFIX))) {
            configValues.refuse(Key.WRITE_CNI, "must be the absolute path of a file that ends with " + CniList.SUFFIX);
        }
        return file;
    }

    /** The first network of the given size in each network of the cluster, if one of the settings asks for it. */
    private PodCidrs ofLoneNode() {
        List<Key> asking = asking(configValues);
        if (asking.isEmpty()) {
            return PodCidrs.NONE;
        }
        if (!configValues.bool(Key.STANDALONE)) {
            asking.forEach(key -> configValues.refuse(
                    key, "has a meaning only with --standalone: in a cluster, the Node object says the networks"));
            return PodCidrs.NONE;
        }
        List<IpPrefix> cluster = configValues.prefixesOrNone(Key.CLUSTER_CIDR);
        if (cluster.isEmpty()) {
            asking.forEach(
                    key -> configValues.refuse(key, "needs " + Key.CLUSTER_CIDR.flag() + " or " + Key.POD_CIDR.flag()));
            return PodCidrs.NONE;
        }
        List<IpPrefix> networks = new ArrayList<>();
        for (IpPrefix network : cluster) {
            size(network).ifPresent(length -> networks.add(new IpPrefix(network.address(), length)));
        }
        try {
            return new PodCidrs(networks);
        } catch (IllegalArgumentException twoOfOneFamily) {
            // --cluster-cidr is refused for it.
            return PodCidrs.NONE;
        }
    }

    private Optional<Integer> size(IpPrefix network) {
        Key key = network.family() == IpFamily.IPV4 ? Key.NODE_CIDR_MASK_SIZE_IPV4 : Key.NODE_CIDR_MASK_SIZE_IPV6;
        int longest = network.family().bits() - HOST_BITS;
        int size = configValues.number(key, 0, network.family().bits());
        if (size < network.length() || size > longest) {
            configValues.refuse(
                    key,
                    "must be " + network.length() + ", the length of " + Key.CLUSTER_CIDR.flag() + " " + network
                            + ", to " + longest);
            return Optional.empty();
        }
        return Optional.of(size);
    }
}
