package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A random Service that changes step by step, as a user edits it. */
final class DesiredService {
    private static final int PODS = 40;
    private static final int TARGET_PORT = 8080;

    final int number;
    private final Net net;
    private final List<Proto> protocols;
    private boolean nodePort;
    private boolean loadBalancer;
    private boolean affinity;
    private int timeout = 60;
    private TrafficPolicy internal = TrafficPolicy.CLUSTER;
    private TrafficPolicy external = TrafficPolicy.CLUSTER;
    private List<String> ranges = List.of();
    /** Numbers of external addresses; the world sees to it that each has one taker. */
    final Set<Integer> externalIps = new TreeSet<>();

    private final Map<Integer, State> endpoints = new TreeMap<>();

    /** How a pod is. */
    private record State(boolean ready, boolean serving, boolean terminating, boolean local) {}

    DesiredService(int number, Net net, Random random) {
        this.number = number;
        this.net = net;
        List<Proto> all = List.of(Proto.TCP, Proto.UDP, Proto.SCTP);
        this.protocols =
                random.nextInt(4) == 0 ? List.of(Proto.TCP, Proto.UDP) : List.of(all.get(random.nextInt(all.size())));
        for (int i = random.nextInt(5); i > 0; i--) {
            add(random);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            change(random);
        }
    }

    ServiceKey key() {
        return new ServiceKey("ns", "svc" + number);
    }

    /** Changes one thing, and returns what. */
    String change(Random random) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> add(random);
            case 4, 5, 6, 7 -> remove(random);
            case 8, 9, 10 -> remove(random) + ", " + add(random);
            case 11, 12, 13 -> turn(random);
            case 14 -> {
                endpoints.clear();
                yield "all endpoints gone";
            }
            case 15 -> {
                nodePort = !nodePort;
                yield "node port " + nodePort;
            }
            case 16 -> {
                loadBalancer = !loadBalancer;
                yield "load balancer " + loadBalancer;
            }
            case 17 -> {
                affinity = !affinity || random.nextBoolean();
                timeout = 60 + random.nextInt(3);
                yield "affinity " + affinity + " " + timeout;
            }
            case 18 -> {
                internal = random.nextBoolean() ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
                external = random.nextBoolean() ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
                yield "policies " + internal + " " + external;
            }
            default -> {
                List<List<String>> choices = List.of(
                        List.of(),
                        List.of("203.0.113.0/25"),
                        List.of("203.0.113.0/24", "203.0.113.0/25"),
                        List.of("192.168.0.0/24", "10.0.0.2/32"));
                ranges = choices.get(random.nextInt(choices.size()));
                yield "source ranges " + ranges;
            }
        };
    }

    private String add(Random random) {
        int pod = random.nextInt(PODS);
        endpoints.put(pod, new State(true, true, false, pod % 3 == 0));
        return "endpoint " + pod + " in";
    }

    private String remove(Random random) {
        if (endpoints.isEmpty()) {
            return "nothing to remove";
        }
        int pod = one(random);
        endpoints.remove(pod);
        return "endpoint " + pod + " out";
    }

    private String turn(Random random) {
        if (endpoints.isEmpty()) {
            return "nothing to turn";
        }
        int pod = one(random);
        boolean ready = random.nextInt(3) == 0;
        boolean serving = ready || random.nextBoolean();
        endpoints.put(pod, new State(ready, serving, !ready && random.nextBoolean(), random.nextBoolean()));
        return "endpoint " + pod + " is " + endpoints.get(pod);
    }

    private int one(Random random) {
        return List.copyOf(endpoints.keySet()).get(random.nextInt(endpoints.size()));
    }

    ServiceView view() {
        List<PortView> ports = new ArrayList<>();
        for (Proto protocol : protocols) {
            ports.add(new PortView(port(protocol), list()));
        }
        return new ServiceView(key(), net.family(), ports);
    }

    private ServicePort port(Proto protocol) {
        boolean reachable = nodePort || loadBalancer || !externalIps.isEmpty();
        return new ServicePort(
                new ServicePortName(key(), "p-" + protocol, protocol),
                net.clusterIp(number),
                Net.port(number),
                nodePort ? Net.nodePort(number) : 0,
                externalIps.stream().map(net::externalIp).toList(),
                loadBalancer ? List.of(net.vip(number), net.vip(100 + number)) : List.of(),
                ranges.stream().map(net::network).toList(),
                affinity ? new Affinity.ClientIp(timeout) : Affinity.NONE,
                internal,
                reachable ? external : TrafficPolicy.CLUSTER,
                0);
    }

    private List<Endpoint> list() {
        List<Endpoint> list = new ArrayList<>();
        endpoints.forEach((pod, state) -> {
            Ip ip = net.ip((state.local() ? "10.0.0." : "10.0.1.") + (2 + pod));
            list.add(new Endpoint(
                    new IpPort(ip, TARGET_PORT + number % 2),
                    state.ready(),
                    state.serving(),
                    state.terminating(),
                    state.local(),
                    Set.of(),
                    Set.of()));
        });
        list.sort(Comparator.comparing(endpoint -> endpoint.address().toString()));
        return list;
    }
}
