package io.dualstackd.agent.app;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.dns.io.DnsComponent;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.node.OwnAddresses;
import io.dualstackd.node.io.NodeAddressTracker;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.supervision.io.Supervisor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The DNS server for names of Services. Not loaded without it: the server loads Netty. */
final class DnsModule implements AutoCloseable {
    private final DnsComponent component;

    private DnsModule(DnsComponent component) {
        this.component = component;
    }

    static DnsModule start(
            DnsSettings dns,
            DaemonSettings settings,
            Supplier<NodeSettings> node,
            Store store,
            NodeAddressTracker addresses,
            ObjectSource source,
            Supervisor supervisor) {
        List<IpPrefix> reverse =
                new ArrayList<>(settings.ledger().map(LedgerSettings::ranges).orElse(List.of()));
        reverse.addAll(podNetworks(settings, node.get(), store));
        DnsComponent component = DnsComponent.start(
                dns,
                new DnsComponent.Node(
                        settings.node().name(),
                        settings.ns(),
                        addresses::nodeIps,
                        () -> all(settings, addresses),
                        ip -> OwnAddresses.has(addresses.host(), ip),
                        () -> podNetworks(settings, node.get(), store),
                        reverse.stream().distinct().toList(),
                        source::offersKubeDns),
                store,
                supervisor);
        addresses.onChange(component::wakeUp);
        addresses.onChoice(component::wakeUp);
        store.onNodes(component::wakeUp);
        return new DnsModule(component);
    }

    private static List<Ip> all(DaemonSettings settings, NodeAddressTracker addresses) {
        return addresses.isSettled()
                ? settings.families().stream()
                        .flatMap(family -> addresses.own(family).all().stream())
                        .toList()
                : List.of();
    }

    private static List<IpPrefix> podNetworks(DaemonSettings settings, NodeSettings node, Store store) {
        List<IpPrefix> networks = new ArrayList<>(settings.pods().cidrs().cidrs());
        networks.addAll(store.node(node.name()).map(Node::podCidrs).orElse(List.of()));
        if (node.detectLocal() instanceof DetectLocal.ClusterCidr(List<IpPrefix> ofCluster)) {
            networks.addAll(ofCluster);
        }
        return networks.stream().distinct().toList();
    }

    DnsReport report() {
        return component.report();
    }

    @Override
    public void close() {
        component.close();
    }
}
