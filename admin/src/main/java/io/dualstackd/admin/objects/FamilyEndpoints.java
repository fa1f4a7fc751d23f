package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The endpoints of a Service in one family, over all its slices.
 *
 * @param slices number of slices of the family
 * @param ready addresses of endpoints that take connections
 * @param notReady addresses of the others
 * @param ports by name, those that at least one slice has; the empty name for an unnamed port
 */
record FamilyEndpoints(IpFamily family, int slices, List<String> ready, List<String> notReady, List<PortNumber> ports) {
    /** A port of endpoints. */
    record PortNumber(String name, String number) {}

    FamilyEndpoints {
        ready = List.copyOf(ready);
        notReady = List.copyOf(notReady);
        ports = List.copyOf(ports);
    }

    /** @param all slices of the Service, of any family */
    static FamilyEndpoints of(IpFamily family, List<KnownObject> all) {
        List<String> ready = new ArrayList<>();
        List<String> notReady = new ArrayList<>();
        List<PortNumber> ports = new ArrayList<>();
        int slices = 0;
        for (KnownObject slice : all) {
            if (!slice.text("addressType").equals(family.toString())) {
                continue;
            }
            slices++;
            for (Tree endpoint : slice.items("endpoints")) {
                // An unset condition means ready.
                boolean takes =
                        !KnownObject.text(endpoint, "conditions", "ready").equals("false");
                KnownObject.items(endpoint, "addresses")
                        .forEach(address -> (takes ? ready : notReady).add(KnownObject.word(address)));
            }
            for (Tree port : slice.items("ports")) {
                PortNumber number = new PortNumber(KnownObject.text(port, "name"), KnownObject.text(port, "port"));
                if (!ports.contains(number)) {
                    ports.add(number);
                }
            }
        }
        return new FamilyEndpoints(family, slices, ready, notReady, ports);
    }

    /** The targets of connections to the port of this name, each with its port; only ready ones. */
    List<String> targets(String port) {
        Optional<String> number = ports.stream()
                .filter(known -> known.name().equals(port))
                .map(PortNumber::number)
                .findFirst();
        return number.map(n -> ready.stream().map(ip -> at(ip, n)).toList()).orElse(List.of());
    }

    private static String at(String ip, String port) {
        return ip.indexOf(':') < 0 ? ip + ":" + port : "[" + ip + "]:" + port;
    }
}
