package io.dualstackd.dns;

import io.dualstackd.dns.DnsService.Kind;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** An index of Services by name and by address. A change costs the size of the Service, not of the index. */
final class ServiceIndex {
    private static final Comparator<ServiceName> BY_NAME =
            Comparator.comparing(ServiceName::namespace).thenComparing(ServiceName::name);

    private final Map<String, Map<String, ServiceTargets>> namespaces = new HashMap<>();
    private final NavigableMap<Ip, List<ServiceName>> clusterIps = new TreeMap<>();
    private final NavigableMap<Ip, List<ServiceName>> endpoints = new TreeMap<>();
    private int size;

    void put(DnsService service) {
        remove(service.name());
        ServiceTargets targets = new ServiceTargets(service);
        namespaces
                .computeIfAbsent(service.name().namespace(), key -> new HashMap<>())
                .put(service.name().name(), targets);
        size++;
        if (service.kind() instanceof Kind.ClusterIps(List<Ip> addresses)) {
            addresses.forEach(ip -> add(clusterIps, ip, service.name()));
        }
        targets.addresses(ip -> add(endpoints, ip, service.name()));
    }

    void remove(ServiceName name) {
        Map<String, ServiceTargets> services = namespaces.getOrDefault(name.namespace(), Map.of());
        ServiceTargets gone = services.isEmpty() ? null : services.remove(name.name());
        if (gone == null) {
            return;
        }
        size--;
        if (services.isEmpty()) {
            namespaces.remove(name.namespace());
        }
        if (gone.service().kind() instanceof Kind.ClusterIps(List<Ip> addresses)) {
            addresses.forEach(ip -> remove(clusterIps, ip, name));
        }
        gone.addresses(ip -> remove(endpoints, ip, name));
    }

    /** Removes Services that are not in {@code names}. */
    void keepOnly(Set<ServiceName> names) {
        Set<ServiceName> gone = new HashSet<>();
        namespaces.forEach((namespace, services) -> services.keySet().stream()
                .map(name -> new ServiceName(namespace, name))
                .filter(name -> !names.contains(name))
                .forEach(gone::add));
        gone.forEach(this::remove);
    }

    /** Lists are short and mostly have one name, and there may be a hundred thousand of them. */
    private static void add(Map<Ip, List<ServiceName>> to, Ip ip, ServiceName name) {
        List<ServiceName> before = to.getOrDefault(ip, List.of());
        if (!before.contains(name)) {
            to.put(
                    ip,
                    before.isEmpty()
                            ? List.of(name)
                            : Stream.concat(before.stream(), Stream.of(name))
                                    .sorted(BY_NAME)
                                    .toList());
        }
    }

    private static void remove(Map<Ip, List<ServiceName>> from, Ip ip, ServiceName name) {
        from.computeIfPresent(ip, (key, names) -> {
            List<ServiceName> left =
                    names.stream().filter(each -> !each.equals(name)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    int size() {
        return size;
    }

    boolean hasNamespace(String name) {
        return namespaces.containsKey(name);
    }

    Optional<ServiceTargets> find(String namespace, String name) {
        return Optional.ofNullable(namespaces.getOrDefault(namespace, Map.of()).get(name));
    }

    /** Names of an address, without the domain: of the Service that has it as cluster IP, else of endpoints. */
    List<List<String>> namesOf(Ip ip) {
        List<ServiceName> services = clusterIps.get(ip);
        if (services != null) {
            ServiceName first = services.getFirst();
            return List.of(List.of(first.name(), first.namespace()));
        }
        List<ServiceName> behind = endpoints.get(ip);
        return behind == null
                ? List.of()
                : behind.stream()
                        .flatMap(name -> find(name.namespace(), name.name()).stream()
                                .flatMap(targets -> targets.labels(ip).stream())
                                .map(label -> List.of(label, name.name(), name.namespace())))
                        .toList();
    }

    /** Whether an address in this network has a name. */
    boolean hasNameIn(IpPrefix network) {
        return hasKeyIn(clusterIps, network) || hasKeyIn(endpoints, network);
    }

    private static boolean hasKeyIn(NavigableMap<Ip, ?> map, IpPrefix network) {
        Ip next = map.ceilingKey(network.address());
        return next != null && network.contains(next);
    }
}
