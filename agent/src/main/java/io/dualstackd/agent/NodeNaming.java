package io.dualstackd.agent;

import io.dualstackd.agent.api.Node;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.agent.node.io.AddressWatch;
import io.dualstackd.agent.pod.NodeNames;
import io.dualstackd.agent.pod.PodIps;
import io.dualstackd.agent.source.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What pods take from their node: from the configuration, else from the Node object, else from the interfaces. */
record NodeNaming(NodeSettings settings, Store store, AddressWatch addresses) {
    NodeNames names() {
        Optional<Node> node = store.node(settings.name());
        IpFamily preferred = PodIps.preferred(
                settings.ips().size() == 1 ? settings.ips().values().stream().findFirst() : Optional.empty());
        List<Ip> ips = Stream.of(preferred, preferred.other())
                .flatMap(family -> ip(node, family).stream())
                .toList();
        return new NodeNames(preferred, ips);
    }

    private Optional<Ip> ip(Optional<Node> node, IpFamily family) {
        return Optional.ofNullable(settings.ips().get(family))
                .or(() -> node.stream()
                        .flatMap(object -> object.addresses().stream())
                        .filter(address -> address.type().equals("InternalIP"))
                        .map(Node.Address::ip)
                        .filter(ip -> ip.family() == family)
                        .findFirst())
                .or(() -> addresses.addresses(family).stream()
                        .filter(ip -> !ip.isLoopback() && !ip.isLinkLocal())
                        .findFirst());
    }
}
