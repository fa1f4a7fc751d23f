package io.dualstackd.agent.e2e;

import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The contents a manifest file takes on while daemons are being killed, and what a fresh daemon in a fresh namespace writes for each
 * of them.
 */
final class Variants {
    static final int FILES = 4;
    private static final int SERVICES = 5;
    private static final int[] ENDPOINTS = {3, 1, 5, 0, 2};
    /** The variant without a file. */
    static final int ABSENT = ENDPOINTS.length;

    static final int COUNT = ABSENT + 1;

    private final Map<IpFamily, List<Listing>> learned;

    private Variants(Map<IpFamily, List<Listing>> learned) {
        this.learned = learned;
    }

    /** Asks a fresh daemon about every variant. */
    static Variants learn(Path folder, Launch launch, ListedMode mode) throws Exception {
        Map<IpFamily, List<Listing>> learned = new EnumMap<>(IpFamily.class);
        for (IpFamily family : IpFamily.values()) {
            learned.put(family, new ArrayList<>());
        }
        for (int variant = 0; variant < COUNT; variant++) {
            try (HostUnderTest host = HostUnderTest.in(folder.resolve(mode.flag() + "-" + variant), launch)) {
                for (int file = 0; file < FILES; file++) {
                    put(host, file, variant);
                }
                mode.start(host).awaitInForce();
                for (IpFamily family : IpFamily.values()) {
                    Objects.requireNonNull(learned.get(family)).add(mode.listing(host, family));
                }
            }
        }
        return new Variants(learned);
    }

    /** What a fresh daemon writes when every file has this variant. */
    Listing of(IpFamily family, int variant) {
        return Objects.requireNonNull(learned.get(family)).get(variant);
    }

    static void put(HostUnderTest host, int file, int variant) throws Exception {
        if (variant == ABSENT) {
            host.delete(name(file));
        } else {
            host.put(name(file), text(file, variant));
        }
    }

    private static String name(int file) {
        return "file-" + file + ".yaml";
    }

    private static String text(int file, int variant) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < SERVICES; i++) {
            int number = file * SERVICES + i;
            String name = "s" + number;
            String more = switch ((i + variant) % 3) {
                case 0 -> "";
                case 1 -> "type: NodePort, externalTrafficPolicy: Local";
                default ->
                    "sessionAffinity: ClientIP, externalIPs: [198.51.100.%d, \"2001:db8:51::%x\"]"
                            .formatted(number + 1, number + 1);
            };
            String service = Manifests.service(name, number, more);
            text.append(
                    more.startsWith("type")
                            ? service.replace("port: 80,", "port: 80, nodePort: " + (30000 + number) + ",")
                            : service);
            text.append(Manifests.slices(name, number * 10 + variant, ENDPOINTS[variant]));
        }
        return text.toString();
    }

    /**
     * Which variant each file has in the kernel.
     *
     * @throws AssertionError when the rules of some file are those of no variant, or there is anything else
     */
    List<Integer> identify(IpFamily family, Listing found) {
        List<Listing> known = Objects.requireNonNull(learned.get(family));
        Map<String, List<String>> left = new TreeMap<>(found.services());
        List<Integer> variants = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            Map<String, List<String>> its = of(file, found.services());
            left.keySet().removeAll(its.keySet());
            int variant = -1;
            for (int candidate = 0; candidate < COUNT; candidate++) {
                if (of(file, known.get(candidate).services()).equals(its)) {
                    variant = candidate;
                }
            }
            if (variant < 0) {
                throw new AssertionError(family + " rules of file " + file + " are of no single version:\n"
                        + String.join(
                                "\n",
                                its.values().stream().flatMap(List::stream).toList()));
            }
            variants.add(variant);
        }
        if (!left.isEmpty()) {
            throw new AssertionError(family + " rules without an owner: " + left);
        }
        boolean untouched = found.isEmpty();
        if (!untouched && !found.frame().equals(known.get(ABSENT).frame())) {
            throw new AssertionError(family + " frame is not whole:\n" + String.join("\n", found.frame()));
        }
        return variants;
    }

    private static Map<String, List<String>> of(int file, Map<String, List<String>> services) {
        Map<String, List<String>> its = new HashMap<>();
        for (int i = 0; i < SERVICES; i++) {
            String name = "e2e/s" + (file * SERVICES + i);
            if (services.containsKey(name)) {
                its.put(name, services.get(name));
            }
        }
        return its;
    }
}
