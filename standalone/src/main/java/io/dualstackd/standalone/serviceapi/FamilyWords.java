package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/** The family fields as they are written in {@code spec}. */
final class FamilyWords {
    /** Paths of the four fields. */
    static final List<String> FIELDS =
            List.of(FamilyShape.CLUSTER_IP, FamilyShape.CLUSTER_IPS, FamilyShape.FAMILIES, FamilyShape.POLICY);

    private FamilyWords() {}

    /** Rejects words that are not a family or a policy. */
    static void check(Draft spec, Violations violations) {
        List<String> families = spec.texts("ipFamilies");
        for (int i = 0; i < families.size(); i++) {
            if (ServiceFields.family(families.get(i)).isEmpty()) {
                violations.reject(
                        FamilyShape.FAMILIES + "[" + i + "]", families.get(i), "is not supported: IPv4 and IPv6 are");
            }
        }
        String policy = spec.text("ipFamilyPolicy");
        if (!policy.isEmpty() && ServiceFields.policy(policy).isEmpty()) {
            violations.reject(
                    FamilyShape.POLICY,
                    policy,
                    "is not supported: SingleStack, PreferDualStack and RequireDualStack are");
        }
    }

    static void put(Draft spec, FamilyFields fields) {
        ServiceTree.putClusterIps(spec, fields.clusterIp(), fields.clusterIps());
        if (fields.ipFamilies().isEmpty()) {
            spec.remove("ipFamilies");
        } else {
            spec.putTexts(
                    "ipFamilies",
                    fields.ipFamilies().stream().map(IpFamily::toString).toList());
        }
        fields.policy()
                .ifPresentOrElse(
                        policy -> spec.put("ipFamilyPolicy", policy.toString()), () -> spec.remove("ipFamilyPolicy"));
    }
}
