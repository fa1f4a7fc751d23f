package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fills in fields that were introduced after an object was stored. */
final class ReadDefaults {
    /** The families that the text of KEP-563 gives to a headless Service without selector, whatever the first family of the cluster. */
    static final List<IpFamily> HEADLESS_BY_KEP = List.of(IpFamily.IPV4, IpFamily.IPV6);

    private ReadDefaults() {}

    /** @param cluster the families, the default one first */
    static void fill(Draft spec, List<IpFamily> cluster, Semantics semantics) {
        ServiceFields fields = ServiceFields.of(spec);
        if (fields.isExternalName()) {
            spec.remove("internalTrafficPolicy");
            return;
        }
        FamilyFields families = ClusterIpFields.normalised(fields.families());
        ServiceTree.putClusterIps(spec, families.clusterIp(), families.clusterIps());
        if (spec.has("ipFamilyPolicy")) {
            return;
        }
        boolean byKep = semantics == Semantics.KEP_563 && families.isHeadless() && !fields.hasSelector();
        List<IpFamily> known = byKep
                ? HEADLESS_BY_KEP
                : families.isHeadless()
                        ? headless(fields.hasSelector(), cluster.getFirst())
                        : ofAddresses(families.clusterIps());
        if (!known.isEmpty()) {
            spec.putTexts("ipFamilies", known.stream().map(IpFamily::toString).toList());
            IpFamilyPolicy two = byKep ? IpFamilyPolicy.PREFER_DUAL_STACK : IpFamilyPolicy.REQUIRE_DUAL_STACK;
            IpFamilyPolicy policy = known.size() == 1 ? IpFamilyPolicy.SINGLE_STACK : two;
            spec.put("ipFamilyPolicy", policy.toString());
        }
    }

    private static List<IpFamily> headless(boolean hasSelector, IpFamily first) {
        return hasSelector ? List.of(first) : List.of(first, first.other());
    }

    private static List<IpFamily> ofAddresses(List<String> clusterIps) {
        List<IpFamily> families = new ArrayList<>();
        for (String text : clusterIps) {
            Optional<Ip> ip = FamilyShape.ipOf(text);
            ip.ifPresent(known -> families.add(known.family()));
        }
        return families;
    }
}
