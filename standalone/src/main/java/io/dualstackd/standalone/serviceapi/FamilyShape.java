package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the four family fields by themselves, independent of the cluster and of what was stored before. */
final class FamilyShape {
    static final String CLUSTER_IP = "spec.clusterIP";
    static final String CLUSTER_IPS = "spec.clusterIPs";
    static final String FAMILIES = "spec.ipFamilies";
    static final String POLICY = "spec.ipFamilyPolicy";

    private final FamilyFields fields;
    private final Set<String> stored;
    private final List<Rejection> rejections = new ArrayList<>();

    private FamilyShape(FamilyFields fields, Set<String> stored) {
        this.fields = fields;
        this.stored = stored;
    }

    /** @param stored values that were accepted once and may stay, whatever they are */
    static List<Rejection> check(FamilyFields fields, Set<String> stored) {
        FamilyShape shape = new FamilyShape(fields, stored);
        shape.families();
        shape.firstAndList();
        shape.addresses();
        return List.copyOf(shape.rejections);
    }

    private void families() {
        Set<IpFamily> seen = EnumSet.noneOf(IpFamily.class);
        for (int i = 0; i < fields.ipFamilies().size(); i++) {
            IpFamily family = fields.ipFamilies().get(i);
            if (!seen.add(family)) {
                reject(at(FAMILIES, i), family.toString(), "a family may be listed only once");
            }
        }
    }

    private void firstAndList() {
        List<String> all = fields.clusterIps();
        if (fields.clusterIp().isEmpty()) {
            if (!all.isEmpty()) {
                reject(CLUSTER_IPS, String.join(",", all), "must be empty when clusterIP is not specified");
            }
        } else if (all.isEmpty()) {
            reject(CLUSTER_IPS, "", "required, because clusterIP is set");
        } else if (!all.getFirst().equals(fields.clusterIp())) {
            reject(at(CLUSTER_IPS, 0), all.getFirst(), "first value must match clusterIP, " + fields.clusterIp());
        }
    }

    private void addresses() {
        List<String> all = fields.clusterIps();
        if (all.contains(FamilyFields.NONE)) {
            if (all.size() > 1) {
                reject(CLUSTER_IPS, String.join(",", all), "None must be the first and only value");
            }
            return;
        }
        if (all.size() > 2) {
            reject(CLUSTER_IPS, String.join(",", all), "may only hold up to 2 values");
        }
        Set<IpFamily> seen = EnumSet.noneOf(IpFamily.class);
        for (int i = 0; i < all.size(); i++) {
            Optional<Ip> ip = ipOf(all.get(i));
            String wrong = stored.contains(all.get(i)) ? "" : AddressValidation.address(all.get(i));
            if (!wrong.isEmpty()) {
                reject(at(CLUSTER_IPS, i), all.get(i), wrong);
            }
            if (ip.isEmpty()) {
                continue;
            }
            IpFamily family = ip.get().family();
            if (!seen.add(family)) {
                reject(at(CLUSTER_IPS, i), all.get(i), "there may be no more than one IP for each IP family");
            }
            if (i < fields.ipFamilies().size() && fields.ipFamilies().get(i) != family) {
                IpFamily wanted = fields.ipFamilies().get(i);
                reject(
                        at(CLUSTER_IPS, i),
                        all.get(i),
                        "an " + wanted + " value is expected, as ipFamilies[" + i + "] says");
            }
        }
    }

    /** The address; empty for {@code None}, and for text that is not an address. */
    static Optional<Ip> ipOf(String text) {
        try {
            return Optional.of(Ip.parseLenient(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String at(String field, int index) {
        return field + "[" + index + "]";
    }

    private void reject(String field, String value, String rule) {
        rejections.add(new Rejection(field, value, rule));
    }
}
