package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Dual-stack Services and their endpoints, which change as a seed determines. Each change is passed to the API server and to the oracle. */
final class Workload {
    static final String NODE = "node-1";
    private static final int MOST_ENDPOINTS = 5;
    private static final int AT_ONCE = 20;

    private final ObjectStore objects;
    private final Expected expected;
    private final Random random;
    private final int services;
    /** How often Services came later; only the last of them are still there. */
    private int later;

    private Workload(ObjectStore objects, Expected expected, int services, long seed) {
        this.objects = objects;
        this.expected = expected;
        this.services = services;
        this.random = new Random(seed);
    }

    static Workload begin(ObjectStore objects, Expected expected, int services, long seed) {
        Workload workload = new Workload(objects, expected, services, seed);
        workload.touch();
        for (int number = 0; number < services; number++) {
            workload.come(number);
        }
        return workload;
    }

    private void come(int number) {
        objects.put(Shape.service(number));
        endpoints(number, IpFamily.IPV4);
        endpoints(number, IpFamily.IPV6);
    }

    /** Some Services more come, of every shape, and those that came so before go. */
    synchronized void comeAndGo() {
        synchronized (objects) {
            for (int number = 0; number < AT_ONCE; number++) {
                if (later > 0) {
                    go(services + (later - 1) % 2 * AT_ONCE + number);
                }
                come(services + later % 2 * AT_ONCE + number);
            }
            later++;
        }
    }

    private void go(int number) {
        for (IpFamily family : IpFamily.values()) {
            objects.delete(
                    new ObjectKey(ObjectKey.Kind.ENDPOINT_SLICE, Shape.NAMESPACE, "s" + number + suffix(family)));
            expected.remove(Shape.wanted(number, family, Set.of(), Set.of()).keySet());
        }
        objects.delete(new ObjectKey(ObjectKey.Kind.SERVICE, Shape.NAMESPACE, "s" + number));
    }

    private static String suffix(IpFamily family) {
        return family == IpFamily.IPV4 ? "-ipv4" : "-ipv6";
    }

    /** What is not changed otherwise gets another version. */
    void touch() {
        objects.put(Shape.service(0));
        objects.put(new Node(
                NODE,
                "zone-a",
                List.of(),
                List.of(
                        new Node.Address("InternalIP", Ip.parse(FaultNet.NODE4)),
                        new Node.Address("InternalIP", Ip.parse(FaultNet.NODE6))),
                List.of(),
                false));
        objects.put(new ServiceCidr(
                "kubernetes", List.of(IpPrefix.parse("10.96.0.0/12"), IpPrefix.parse("fd00:10:96::/112"))));
    }

    /** One slice gets other endpoints. */
    synchronized void change() {
        endpoints(random.nextInt(services), random.nextBoolean() ? IpFamily.IPV4 : IpFamily.IPV6);
    }

    private void endpoints(int number, IpFamily family) {
        int count = random.nextInt(MOST_ENDPOINTS + 1);
        Set<String> addresses = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            int pod = random.nextInt(60_000);
            addresses.add(
                    family == IpFamily.IPV4
                            ? "10.244." + pod / 250 + "." + (pod % 250 + 1)
                            : Ip.parse("fd00:10:244::" + Integer.toHexString(pod + 1))
                                    .toString());
        }
        put(number, family, addresses);
    }

    /** A third of all pods run on this node. */
    private static boolean isLocal(String address) {
        return address.hashCode() % 3 == 0;
    }

    private void put(int number, IpFamily family, Set<String> addresses) {
        List<EndpointSlice.Endpoint> endpoints = new ArrayList<>();
        for (String address : addresses) {
            endpoints.add(new EndpointSlice.Endpoint(
                    Ip.parse(address),
                    new EndpointSlice.Conditions(Optional.of(true), Optional.of(true), Optional.of(false)),
                    isLocal(address) ? NODE : "node-2",
                    Set.of(),
                    Set.of()));
        }
        EndpointSlice slice = new EndpointSlice(
                Shape.NAMESPACE,
                "s" + number + suffix(family),
                Optional.of("s" + number),
                false,
                family == IpFamily.IPV4 ? EndpointSlice.AddressType.IPV4 : EndpointSlice.AddressType.IPV6,
                List.of(new EndpointSlice.Port(Optional.of("http"), Proto.TCP, OptionalInt.of(8080))),
                endpoints,
                Optional.empty());
        synchronized (objects) {
            objects.put(slice);
            expect(slice);
        }
    }

    private void expect(EndpointSlice slice) {
        int number = Integer.parseInt(slice.service().orElseThrow().substring(1));
        IpFamily family = slice.addressType() == EndpointSlice.AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
        Set<String> all = new TreeSet<>();
        Set<String> local = new TreeSet<>();
        for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
            String reached = endpoint.address() + " 8080";
            all.add(reached);
            if (endpoint.nodeName().equals(NODE)) {
                local.add(reached);
            }
        }
        expected.set(Shape.wanted(number, family, all, local));
    }

    /** The server's state is put back to that of the backup, and that is what is wanted now. */
    synchronized void restore(ObjectStore.Backup backup) {
        synchronized (objects) {
            objects.restore(backup);
            backup.objects().values().forEach(versioned -> {
                if (versioned.object() instanceof EndpointSlice slice) {
                    expect(slice);
                }
            });
        }
    }
}
