package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks changes of the family fields of a Service that is written again. */
final class FamilyChange {
    private static final String SET = "may not change once set";

    private FamilyChange() {}

    /** Without the policy {@code SingleStack}, no address or family may be released. */
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

    /** Compares the admitted fields with the old ones. */
    static List<Rejection> check(FamilyFields old, FamilyFields now) {
        List<Rejection> rejections = new ArrayList<>();
        addresses(old, now, rejections);
        if (!old.isHeadless() || !now.isHeadless()) {
            families(old, now, rejections);
        }
        return rejections;
    }

    private static void addresses(FamilyFields before, FamilyFields after, List<Rejection> rejections) {
        List<String> old = before.clusterIps();
        List<String> now = after.clusterIps();
        for (int i = 0; i < Math.min(old.size(), now.size()); i++) {
            if (!old.get(i).equals(now.get(i))) {
                rejections.add(new Rejection(FamilyShape.CLUSTER_IPS + "[" + i + "]", now.get(i), SET));
            }
        }
        if (now.isEmpty() && !old.isEmpty()) {
            rejections.add(new Rejection(FamilyShape.CLUSTER_IPS + "[0]", "", "primary clusterIP can not be unset"));
        } else if (now.size() < old.size() && !isSingle(after)) {
            rejections.add(mustBeSingle(after, "clusterIP"));
        }
    }

    private static void families(FamilyFields before, FamilyFields after, List<Rejection> rejections) {
        List<IpFamily> old = before.ipFamilies();
        List<IpFamily> now = after.ipFamilies();
        for (int i = 0; i < Math.min(old.size(), now.size()); i++) {
            if (old.get(i) != now.get(i)) {
                rejections.add(new Rejection(
                        FamilyShape.FAMILIES + "[" + i + "]", now.get(i).toString(), SET));
            }
        }
        if (now.size() < old.size() && !isSingle(after)) {
            rejections.add(mustBeSingle(after, "ipFamily"));
        }
    }

    private static boolean isSingle(FamilyFields fields) {
        return fields.policy().equals(Optional.of(IpFamilyPolicy.SINGLE_STACK));
    }

    private static Rejection mustBeSingle(FamilyFields fields, String what) {
        return new Rejection(
                FamilyShape.POLICY,
                fields.policy().map(IpFamilyPolicy::toString).orElse(""),
                "must be set to 'SingleStack' when releasing the secondary " + what);
    }
}
