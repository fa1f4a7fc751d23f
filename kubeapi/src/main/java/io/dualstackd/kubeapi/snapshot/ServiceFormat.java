package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Service in a snapshot. Texts of which many Services have the same are written once. */
final class ServiceFormat {
    private static final Service.Type[] TYPES = Service.Type.values();
    private static final Service.Policy[] POLICIES = Service.Policy.values();
    private static final Service.IpMode[] MODES = Service.IpMode.values();
    private static final IpFamily[] FAMILIES = IpFamily.values();
    private static final Service.SessionAffinity NO_AFFINITY = new Service.SessionAffinity.None();
    private static final Service.ClusterIp UNSET = new Service.ClusterIp.Unset();
    private static final Service.ClusterIp NONE = new Service.ClusterIp.None();

    private ServiceFormat() {}

    static void write(SnapshotOutput out, Service service) throws IOException {
        out.name(service.namespace());
        out.text(service.name());
        out.optionalText(service.proxyName());
        out.choice(service.type());
        clusterIp(out, service.clusterIp());
        ips(out, service.clusterIps());
        out.number(service.ipFamilies().size());
        for (IpFamily family : service.ipFamilies()) {
            out.choice(family);
        }
        out.number(service.ports().size());
        for (Service.Port port : service.ports()) {
            out.name(port.name());
            out.protocol(port.protocol());
            out.number(port.port());
            out.number(port.nodePort());
        }
        ips(out, service.externalIps());
        out.number(service.ingress().size());
        for (Service.Ingress ingress : service.ingress()) {
            out.ip(ingress.ip());
            out.choice(ingress.mode());
        }
        out.number(service.loadBalancerSourceRanges().size());
        for (IpPrefix range : service.loadBalancerSourceRanges()) {
            out.ip(range.address());
            out.number(range.length());
        }
        out.number(
                switch (service.sessionAffinity()) {
                    case Service.SessionAffinity.None() -> 0;
                    case Service.SessionAffinity.ClientIp(Duration timeout) -> timeout.toSeconds();
                });
        out.choice(service.externalTrafficPolicy());
        out.choice(service.internalTrafficPolicy());
        out.number(service.healthCheckNodePort());
        out.flag(service.selector().isPresent());
        if (service.selector().isPresent()) {
            selector(out, service.selector().get());
        }
        out.text(service.externalName());
        out.flag(service.publishNotReadyAddresses());
        out.number(service.created());
    }

    private static void clusterIp(SnapshotOutput out, Service.ClusterIp clusterIp) throws IOException {
        switch (clusterIp) {
            case Service.ClusterIp.Unset() -> out.number(0);
            case Service.ClusterIp.None() -> out.number(1);
            case Service.ClusterIp.Address(Ip ip) -> {
                out.number(2);
                out.ip(ip);
            }
        }
    }

    private static void ips(SnapshotOutput out, List<Ip> ips) throws IOException {
        out.number(ips.size());
        for (Ip ip : ips) {
            out.ip(ip);
        }
    }

    private static void selector(SnapshotOutput out, PodSelector selector) throws IOException {
        out.number(selector.labels().size());
        for (Map.Entry<String, String> label : selector.labels().entrySet()) {
            out.name(label.getKey());
            out.text(label.getValue());
        }
        out.number(selector.targets().size());
        for (PodSelector.Target target : selector.targets()) {
            switch (target) {
                case PodSelector.Target.Numbered(int port) -> out.number(port);
                case PodSelector.Target.Named(String name) -> {
                    out.number(0);
                    out.name(name);
                }
            }
        }
        out.flag(selector.publishNotReady());
    }

    static Service read(SnapshotInput in) throws IOException {
        return Service.builder(in.name(), in.text())
                .proxyName(in.optionalText())
                .type(in.choice(TYPES))
                .clusterIps(clusterIp(in), ips(in), families(in))
                .ports(ports(in))
                .externalIps(ips(in))
                .ingress(ingress(in))
                .loadBalancerSourceRanges(ranges(in))
                .sessionAffinity(affinity(in))
                .externalTrafficPolicy(in.choice(POLICIES))
                .internalTrafficPolicy(in.choice(POLICIES))
                .healthCheckNodePort(in.number())
                .selector(in.flag() ? Optional.of(selector(in)) : Optional.empty())
                .externalName(in.text())
                .publishNotReadyAddresses(in.flag())
                .created(in.longNumber())
                .build();
    }

    private static Service.ClusterIp clusterIp(SnapshotInput in) throws IOException {
        return switch (in.number()) {
            case 0 -> UNSET;
            case 1 -> NONE;
            default -> new Service.ClusterIp.Address(in.ip());
        };
    }

    private static List<Ip> ips(SnapshotInput in) throws IOException {
        int count = in.number();
        List<Ip> ips = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ips.add(in.ip());
        }
        return ips;
    }

    private static List<IpFamily> families(SnapshotInput in) throws IOException {
        int count = in.number();
        List<IpFamily> families = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            families.add(in.choice(FAMILIES));
        }
        return families;
    }

    private static List<Service.Port> ports(SnapshotInput in) throws IOException {
        int count = in.number();
        List<Service.Port> ports = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ports.add(new Service.Port(in.name(), in.protocol(), in.number(), in.number()));
        }
        return ports;
    }

    private static List<Service.Ingress> ingress(SnapshotInput in) throws IOException {
        int count = in.number();
        List<Service.Ingress> ingress = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ingress.add(new Service.Ingress(in.ip(), in.choice(MODES)));
        }
        return ingress;
    }

    private static List<IpPrefix> ranges(SnapshotInput in) throws IOException {
        int count = in.number();
        List<IpPrefix> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(new IpPrefix(in.ip(), in.number()));
        }
        return ranges;
    }

    private static Service.SessionAffinity affinity(SnapshotInput in) throws IOException {
        int seconds = in.number();
        return seconds == 0 ? NO_AFFINITY : new Service.SessionAffinity.ClientIp(Duration.ofSeconds(seconds));
    }

    private static PodSelector selector(SnapshotInput in) throws IOException {
        int labels = in.number();
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < labels; i++) {
            map.put(in.name(), in.text());
        }
        int targets = in.number();
        List<PodSelector.Target> list = new ArrayList<>(targets);
        for (int i = 0; i < targets; i++) {
            int port = in.number();
            list.add(port == 0 ? new PodSelector.Target.Named(in.name()) : new PodSelector.Target.Numbered(port));
        }
        return new PodSelector(map, list, in.flag());
    }
}
