package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The endpoints of a Service in one family, over all its slices; an address that is in several of them is there once.
 *
 * @param slices number of slices of the family
 * @param ready addresses of endpoints that are ready
 * @param leaving addresses of the others that terminate and still serve
 * @param notReady addresses of all that are not ready
 * @param targets of connections by name of the port, each with its port; the empty name for an unnamed port
 */
record FamilyEndpoints(
        IpFamily family,
        int slices,
        List<String> ready,
        List<String> leaving,
        List<String> notReady,
        Map<String, List<String>> targets) {
    FamilyEndpoints {
        ready = List.copyOf(ready);
        leaving = List.copyOf(leaving);
        notReady = List.copyOf(notReady);
        targets = Collections.unmodifiableMap(new LinkedHashMap<>(targets));
    }

    /** @param all slices of the Service, of any family */
    static FamilyEndpoints of(IpFamily family, List<KnownObject> all) {
        Set<String> ready = new LinkedHashSet<>();
        Set<String> leaving = new LinkedHashSet<>();
        Set<String> notReady = new LinkedHashSet<>();
        Map<String, Set<String>> targets = new LinkedHashMap<>();
        Map<String, Set<String>> last = new LinkedHashMap<>();
        int slices = 0;
        for (KnownObject slice : all) {
            if (!slice.text("addressType").equals(family.toString())) {
                continue;
            }
            slices++;
            for (Tree endpoint : slice.items("endpoints")) {
                List<String> addresses = KnownObject.items(endpoint, "addresses").stream()
                        .map(KnownObject::word)
                        .toList();
                if (isReady(endpoint)) {
                    ready.addAll(addresses);
                    add(targets, slice, addresses);
                } else {
                    notReady.addAll(addresses);
                    if (isLeaving(endpoint)) {
                        leaving.addAll(addresses);
                        add(last, slice, addresses);
                    }
                }
            }
        }
        notReady.removeAll(ready);
        leaving.removeAll(ready);
        // Without a ready endpoint, a port is served by those that terminate.
        last.forEach(targets::putIfAbsent);
        Map<String, List<String>> lists = new LinkedHashMap<>();
        targets.forEach((port, addresses) -> lists.put(port, new ArrayList<>(addresses)));
        return new FamilyEndpoints(
                family, slices, List.copyOf(ready), List.copyOf(leaving), List.copyOf(notReady), lists);
    }

    /** An unset condition means ready. */
    private static boolean isReady(Tree endpoint) {
        return !KnownObject.text(endpoint, "conditions", "ready").equals("false");
    }

    private static boolean isLeaving(Tree endpoint) {
        return KnownObject.text(endpoint, "conditions", "serving").equals("true")
                && KnownObject.text(endpoint, "conditions", "terminating").equals("true");
    }

    /** Slices of a Service may have different numbers for a port: pods may call different ones by one name. */
    private static void add(Map<String, Set<String>> targets, KnownObject slice, List<String> addresses) {
        for (Tree port : slice.items("ports")) {
            Set<String> of = targets.computeIfAbsent(KnownObject.text(port, "name"), name -> new LinkedHashSet<>());
            addresses.forEach(ip -> of.add(at(ip, KnownObject.text(port, "port"))));
        }
    }

    /** The targets of connections to the port of this name, each with its port. */
    List<String> targets(String port) {
        return targets.getOrDefault(port, List.of());
    }

    private static String at(String ip, String port) {
        return ip.indexOf(':') < 0 ? ip + ":" + port : "[" + ip + "]:" + port;
    }
}
