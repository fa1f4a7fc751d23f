package io.dualstackd.agent.demo;

import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.view.ServiceViews;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The hosts that the demo builds and the addresses it connects to, derived from the manifests.
 *
 * @param pods one per endpoint; the first IPv4 endpoint of a Service and its first IPv6 endpoint are one pod, and so on
 * @param questions in the order of the table
 */
record DemoPlan(List<Pod> pods, List<Question> questions) {
    /** A pod with an address per family, and what it serves. */
    record Pod(String name, Ip ip4, Ip ip6, List<Port> ports) {
        /** This pod, serving the ports of another one, too. */
        Pod and(Pod other) {
            return new Pod(
                    name,
                    ip4,
                    ip6,
                    Stream.concat(ports.stream(), other.ports.stream())
                            .distinct()
                            .toList());
        }
    }

    record Port(Proto proto, int number) {}

    /** Where connections come from. */
    enum From {
        POD("a pod"),
        NODE("the node"),
        OUTSIDE("outside");

        private final String words;

        From(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    record Question(String service, String kind, From from, Proto proto, IpPort destination) {}

    static DemoPlan of(Service service, Collection<EndpointSlice> slices, String nodeName) {
        ServiceView view4 = ServiceViews.of(service, slices, IpFamily.IPV4, nodeName);
        ServiceView view6 = ServiceViews.of(service, slices, IpFamily.IPV6, nodeName);
        List<Question> questions = new ArrayList<>();
        for (ServiceView view : List.of(view4, view6)) {
            view.ports().forEach(port -> questions(port.port(), questions));
        }
        return new DemoPlan(pods(service.key().name(), view4, view6), questions);
    }

    /** All plans as one. A pod of several Services is built once and serves the ports of all of them. */
    static DemoPlan all(List<DemoPlan> plans) {
        Map<Ip, Pod> pods = new LinkedHashMap<>();
        List<Question> questions = new ArrayList<>();
        for (DemoPlan plan : plans) {
            plan.pods().forEach(pod -> pods.merge(pod.ip4(), pod, Pod::and));
            questions.addAll(plan.questions());
        }
        return new DemoPlan(List.copyOf(pods.values()), questions);
    }

    private static List<Pod> pods(String service, ServiceView view4, ServiceView view6) {
        List<Ip> ip4 = addresses(view4);
        List<Ip> ip6 = addresses(view6);
        TreeMap<String, Port> ports = new TreeMap<>();
        for (PortView port : view4.ports()) {
            port.endpoints()
                    .forEach(endpoint -> ports.put(
                            port.port().name().protocol() + "/"
                                    + endpoint.address().port(),
                            new Port(
                                    port.port().name().protocol(),
                                    endpoint.address().port())));
        }
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < Math.min(ip4.size(), ip6.size()); i++) {
            pods.add(new Pod(service + "-" + (i + 1), ip4.get(i), ip6.get(i), List.copyOf(ports.values())));
        }
        return pods;
    }

    private static List<Ip> addresses(ServiceView view) {
        TreeSet<Ip> addresses = new TreeSet<>();
        view.ports()
                .forEach(port -> port.endpoints()
                        .forEach(endpoint -> addresses.add(endpoint.address().ip())));
        return List.copyOf(addresses);
    }

    private static void questions(ServicePort port, List<Question> into) {
        String service = port.name().service().name();
        Proto proto = port.name().protocol();
        Ip node = DemoNet.nodeIp(port.family());
        IpPort cluster = new IpPort(port.clusterIp(), port.port());
        into.add(new Question(service, "ClusterIP", From.POD, proto, cluster));
        into.add(new Question(service, "ClusterIP", From.NODE, proto, cluster));
        if (port.nodePort() != 0) {
            into.add(new Question(service, "NodePort", From.OUTSIDE, proto, new IpPort(node, port.nodePort())));
        }
        Map.of("externalIP", port.externalIps(), "LoadBalancer", port.loadBalancerIps()).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(kind -> kind.getValue()
                        .forEach(ip -> into.add(new Question(
                                service, kind.getKey(), From.OUTSIDE, proto, new IpPort(ip, port.port())))));
    }
}
