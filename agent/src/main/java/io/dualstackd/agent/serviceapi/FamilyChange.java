package io.dualstackd.agent.serviceapi;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What may not change in the family fields of a Service that is written again. */
final class FamilyChange {
    private static final String SET = "may not change once set";

    private FamilyChange() {}

    /** Without the policy {@code SingleStack}, nothing that was given may be given back. */
    static List<Rejection> checkNothingReleased(FamilyFields old, FamilyFields now) {
        List<Rejection> rejections = new ArrayList<>();
        String policy = now.policy().map(IpFamilyPolicy::toString).orElse("");
        if (now.clusterIps().size() < old.clusterIps().size()) {
            rejections.add(new Rejection(
                    FamilyShape.POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP"));
        }
        // Families left out are filled in from the addresses.
        if (!now.ipFamilies().isEmpty()
                && now.ipFamilies().size() < old.ipFamilies().size()) {
            rejections.add(new Rejection(
                    FamilyShape.POLICY, policy, "must be 'SingleStack' to release the secondary IP family"));
        }
        return rejections;
    }

    /** Compares what is settled with what was. */
    static List<Rejection> check(FamilyFields old, FamilyFields now) {
        List<Rejection> rejections = new ArrayList<>();
        boolean single = now.policy().equals(Optional.of(IpFamilyPolicy.SINGLE_STACK));
        addresses(old.clusterIps(), now.clusterIps(), single, rejections);
        if (!old.isHeadless() || !now.isHeadless()) {
            families(old.ipFamilies(), now.ipFamilies(), single, rejections);
        }
        return rejections;
    }

    private static void addresses(List<String> old, List<String> now, boolean single, List<Rejection> rejections) {
        for (int i = 0; i < Math.min(old.size(), now.size()); i++) {
            if (!old.get(i).equals(now.get(i))) {
                rejections.add(new Rejection(FamilyShape.CLUSTER_IPS + "[" + i + "]", now.get(i), SET));
            }
        }
        if (now.isEmpty() && !old.isEmpty()) {
            rejections.add(new Rejection(FamilyShape.CLUSTER_IPS + "[0]", "", "primary clusterIP can not be unset"));
        } else if (now.size() < old.size() && !single) {
            rejections.add(new Rejection(
                    FamilyShape.POLICY, "", "must be set to 'SingleStack' when releasing the secondary clusterIP"));
        }
    }

    private static void families(List<IpFamily> old, List<IpFamily> now, boolean single, List<Rejection> rejections) {
        for (int i = 0; i < Math.min(old.size(), now.size()); i++) {
            if (old.get(i) != now.get(i)) {
                rejections.add(new Rejection(
                        FamilyShape.FAMILIES + "[" + i + "]", now.get(i).toString(), SET));
            }
        }
        if (now.size() < old.size() && !single) {
            rejections.add(new Rejection(
                    FamilyShape.POLICY, "", "must be set to 'SingleStack' when releasing the secondary ipFamily"));
        }
    }
}
