package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.io.FixedPlans;
import io.dualstackd.dataplane.io.ServicePlans;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A node and about thirty Services of one family that change all the time. */
final class World {
    static final int SERVICES = 30;
    private static final int EXTERNAL_IPS = 10;

    final Net net;
    private final Random random;
    private final Map<Integer, DesiredService> wishes = new TreeMap<>();
    private final Map<ServiceKey, ServiceView> views = new TreeMap<>();
    private NodeView node;

    World(IpFamily family, Random random) {
        this.net = new Net(family);
        this.random = random;
        this.node = node(false);
        for (int number = 0; number < SERVICES; number += 2) {
            put(new DesiredService(number, net, random));
        }
    }

    NodeView node() {
        return node;
    }

    List<ServiceView> services() {
        return List.copyOf(views.values());
    }

    /** The plans of the Services as they are at the time of each call. */
    ServicePlans plans(Planner planner) {
        return new FixedPlans(planner, views);
    }

    /** Changes something; adds the Services concerned to {@code changed} and returns what happened. */
    String change(Set<ServiceKey> changed) {
        return switch (random.nextInt(40)) {
            case 0 -> {
                node = node(true);
                yield "node " + node;
            }
            case 1, 2, 3, 4 -> comeOrGo(changed);
            case 5, 6 -> takeExternalIp(changed);
            case 7 -> {
                List<String> many = new ArrayList<>();
                for (DesiredService wish : List.copyOf(wishes.values())) {
                    many.add(change(wish, changed));
                }
                yield String.join("; ", many);
            }
            default -> wishes.isEmpty() ? comeOrGo(changed) : change(one(), changed);
        };
    }

    private String change(DesiredService wish, Set<ServiceKey> changed) {
        String what = wish.change(random);
        put(wish);
        changed.add(wish.key());
        return wish.key() + " " + what;
    }

    private String comeOrGo(Set<ServiceKey> changed) {
        int number = random.nextInt(SERVICES);
        DesiredService gone = wishes.remove(number);
        DesiredService wish = gone == null ? new DesiredService(number, net, random) : gone;
        changed.add(wish.key());
        if (gone == null) {
            put(wish);
            return wish.key() + " comes";
        }
        views.remove(wish.key());
        return wish.key() + " goes";
    }

    /** Moves the destination from the Service that has it, in the same step. */
    private String takeExternalIp(Set<ServiceKey> changed) {
        if (wishes.isEmpty()) {
            return "no Service takes an external IP";
        }
        int ip = random.nextInt(EXTERNAL_IPS);
        DesiredService taker = one();
        for (DesiredService wish : wishes.values()) {
            if (wish.externalIps.remove(ip)) {
                put(wish);
                changed.add(wish.key());
            }
        }
        taker.externalIps.add(ip);
        put(taker);
        changed.add(taker.key());
        return taker.key() + " takes external IP " + ip;
    }

    private DesiredService one() {
        return List.copyOf(wishes.values()).get(random.nextInt(wishes.size()));
    }

    private void put(DesiredService wish) {
        wishes.put(wish.number, wish);
        views.put(wish.key(), wish.view());
    }

    private NodeView node(boolean other) {
        Set<Ip> addresses = new HashSet<>();
        addresses.add(net.loopback());
        addresses.add(net.ip("192.168.0.2"));
        if (random.nextBoolean()) {
            addresses.add(net.ip("192.168.1.2"));
        }
        List<NodePortAddresses> nodePorts = List.of(
                NodePortAddresses.ALL,
                NodePortAddresses.PRIMARY,
                new NodePortAddresses.Within(List.of(net.network("192.168.1.0/24"))));
        List<LocalDetector> detectors = List.of(
                new LocalDetector.SourceIn(net.network("10.0.0.0/24")),
                LocalDetector.NONE,
                new LocalDetector.FromBridge("cni0"),
                new LocalDetector.FromInterfacePrefix("cali"));
        return new NodeView(
                net.family(),
                "node-1",
                other && random.nextBoolean() ? "a" : "",
                Optional.of(net.ip("192.168.0.2")),
                List.copyOf(addresses),
                other ? pick(detectors) : detectors.getFirst(),
                other ? pick(nodePorts) : nodePorts.getFirst(),
                other && random.nextInt(4) == 0,
                other && random.nextInt(4) == 0 ? 15 : 14,
                false,
                true,
                false,
                random.nextBoolean() ? List.of(net.network("172.30.0.0/16")) : List.of());
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
