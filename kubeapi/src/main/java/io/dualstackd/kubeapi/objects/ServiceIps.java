package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.EnumField;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** The cluster IPs of a Service, and the rules for their agreement with the IP families (KEP-563). Nothing is allocated here. */
record ServiceIps(Service.ClusterIp clusterIp, List<Ip> clusterIps, List<IpFamily> families) {
    private enum FamilyPolicy {
        SINGLE_STACK("SingleStack"),
        PREFER_DUAL_STACK("PreferDualStack"),
        REQUIRE_DUAL_STACK("RequireDualStack");

        private final String label;

        FamilyPolicy(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    private static final ServiceIps NOTHING = new ServiceIps(new Service.ClusterIp.Unset(), List.of(), List.of());

    /** @param typeRefused whether the type is not known, so that nothing that depends on it is checked */
    static ServiceIps decode(Field spec, Service.Type type, boolean typeRefused) {
        Optional<Field> single = spec.field("clusterIP")
                .filter(f -> !f.raw().isEmpty() || f.asText().isEmpty());
        List<Field> plural = spec.texts("clusterIPs");
        if (type == Service.Type.EXTERNAL_NAME) {
            return externalName(spec, single);
        }
        if (single.isEmpty()) {
            return unset(spec, plural);
        }
        if (single.get().raw().equals("None")) {
            return headless(spec, typeRefused || type == Service.Type.CLUSTER_IP, plural);
        }
        return addresses(spec, single.get(), plural);
    }

    private static ServiceIps externalName(Field spec, Optional<Field> single) {
        single.ifPresent(f -> f.refuse("must not be set for type ExternalName"));
        spec.field("clusterIPs").ifPresent(f -> f.refuse("must not be set for type ExternalName"));
        return NOTHING;
    }

    private static ServiceIps unset(Field spec, List<Field> plural) {
        if (plural.isEmpty()) {
            spec.warn("no clusterIP is set and none is allocated here, so the service is not served");
        } else {
            spec.field("clusterIPs").ifPresent(f -> f.refuse("must be empty when clusterIP is not set"));
        }
        return NOTHING;
    }

    private static ServiceIps headless(Field spec, boolean mayBeHeadless, List<Field> plural) {
        if (!mayBeHeadless) {
            spec.field("clusterIP").ifPresent(f -> f.refuse("None is only possible with type ClusterIP"));
        }
        if (plural.size() > 1 || (plural.size() == 1 && !plural.getFirst().raw().equals("None"))) {
            spec.field("clusterIPs").ifPresent(f -> f.refuse("None must be the first and only value"));
        }
        return new ServiceIps(new Service.ClusterIp.None(), List.of(), families(spec, List.of(), List.of()));
    }

    private static ServiceIps addresses(Field spec, Field single, List<Field> plural) {
        Optional<Ip> first = AddressFields.clusterIp(single);
        List<Field> fields = plural.isEmpty() ? List.of(single) : plural;
        // Reading the same field twice would report its problems twice.
        List<Ip> ips = plural.isEmpty() ? first.stream().toList() : unicast(plural);
        if (first.isEmpty() || ips.size() < fields.size()) {
            return NOTHING;
        }
        if (!ips.getFirst().equals(first.get())) {
            fields.getFirst().refuse("must be the same as clusterIP, " + single.raw());
        }
        if (ips.size() > 2) {
            fields.get(2).refuse("there may be at most two cluster IPs");
        } else if (ips.size() == 2 && ips.get(0).family() == ips.get(1).family()) {
            fields.get(1)
                    .refuse("there may be only one cluster IP of each family, and "
                            + fields.get(0).raw() + " is " + ips.get(0).family() + ", too");
        }
        policy(spec, ips.size());
        return new ServiceIps(new Service.ClusterIp.Address(first.get()), ips, families(spec, fields, ips));
    }

    private static List<Ip> unicast(List<Field> fields) {
        return fields.stream().flatMap(f -> AddressFields.clusterIp(f).stream()).toList();
    }

    private static void policy(Field spec, int count) {
        Optional<FamilyPolicy> policy = EnumField.of(spec, "ipFamilyPolicy", FamilyPolicy.class);
        Optional<Field> ips = spec.field("clusterIPs");
        if (count > 1 && policy.isEmpty()) {
            ips.ifPresent(f -> f.warn("two cluster IPs without ipFamilyPolicy: read as RequireDualStack, "
                    + "but an API server would refuse it"));
        } else if (count > 1 && policy.get() == FamilyPolicy.SINGLE_STACK) {
            ips.ifPresent(f -> f.refuse("two cluster IPs need ipFamilyPolicy RequireDualStack or PreferDualStack"));
        }
    }

    /** The families as given, completed from the addresses; the result is parallel to the addresses. */
    private static List<IpFamily> families(Field spec, List<Field> fields, List<Ip> ips) {
        List<IpFamily> families = new ArrayList<>();
        EnumSet<IpFamily> seen = EnumSet.noneOf(IpFamily.class);
        for (Field field : spec.texts("ipFamilies")) {
            Optional<IpFamily> family = EnumField.of(field, IpFamily.class);
            if (family.isEmpty()) {
                continue;
            }
            if (!seen.add(family.get())) {
                field.refuse("a family may be listed only once");
            }
            int index = families.size();
            if (index < ips.size() && ips.get(index).family() != family.get()) {
                fields.get(index).refuse("must be " + family.get() + " as ipFamilies[" + index + "] says");
            }
            families.add(family.get());
        }
        for (int i = families.size(); i < ips.size(); i++) {
            families.add(ips.get(i).family());
        }
        return families;
    }
}
