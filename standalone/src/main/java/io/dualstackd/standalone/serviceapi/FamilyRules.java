package io.dualstackd.standalone.serviceapi;

import static io.dualstackd.standalone.serviceapi.IpFamilyPolicy.PREFER_DUAL_STACK;
import static io.dualstackd.standalone.serviceapi.IpFamilyPolicy.REQUIRE_DUAL_STACK;
import static io.dualstackd.standalone.serviceapi.IpFamilyPolicy.SINGLE_STACK;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which families a Service has, before any address is allocated: afterwards {@code ipFamilies} has one entry for each address that
 * the Service has or still lacks, unless it is headless.
 *
 * @param families those of the cluster, the default one first; one or two
 */
public record FamilyRules(List<IpFamily> families, Semantics semantics) {
    public FamilyRules {
        families = List.copyOf(families);
        if (families.isEmpty() || families.size() > 2 || new HashSet<>(families).size() < families.size()) {
            throw new IllegalArgumentException("a cluster has one IP family or two, not " + families);
        }
    }

    /**
     * The data of the rest of a Service that the rules need.
     *
     * @param type as {@code ClusterIP}
     * @param hasSelector whether {@code spec.selector} has any label
     */
    public record Kind(String type, boolean hasSelector) {
        boolean isExternalName() {
            return type.equals("ExternalName");
        }
    }

    /** A Service as it was stored before. */
    public record Stored(Kind kind, FamilyFields fields) {}

    /** The result of the rules. */
    public sealed interface Answer {
        record Settled(FamilyFields fields) implements Answer {}

        /** At least one. */
        record Rejected(List<Rejection> rejections) implements Answer {
            public Rejected {
                rejections = List.copyOf(rejections);
            }
        }
    }

    /** Decides for a new Service; its fields are {@linkplain ClusterIpFields#normalised(FamilyFields) normalised}. */
    public Answer create(Kind kind, FamilyFields given) {
        return settle(kind, given, Optional.empty());
    }

    /**
     * Decides for a Service that is written again; its fields are normalised, with the addresses it
     * {@linkplain ClusterIpFields#kept keeps}.
     */
    public Answer update(Kind kind, FamilyFields given, Stored old) {
        if (kind.type().equals(old.kind().type()) && prefersAsBefore(given, old.fields())) {
            return new Answer.Settled(given);
        }
        Answer answer = settle(kind, given, Optional.of(old));
        if (kind.isExternalName() || old.kind().isExternalName() || !(answer instanceof Answer.Settled(var fields))) {
            return answer;
        }
        List<Rejection> changes = FamilyChange.check(old.fields(), fields);
        return changes.isEmpty() ? answer : new Answer.Rejected(changes);
    }

    /** Whether the families stay as before: a change of the cluster alone does not upgrade or downgrade a Service. */
    private static boolean prefersAsBefore(FamilyFields given, FamilyFields old) {
        return given.policy().equals(Optional.of(PREFER_DUAL_STACK))
                && (old.policy().isEmpty() || old.policy().equals(given.policy()))
                && given.clusterIps().equals(old.clusterIps())
                && given.ipFamilies().equals(old.ipFamilies());
    }

    private Answer settle(Kind kind, FamilyFields given, Optional<Stored> old) {
        if (kind.isExternalName()) {
            return given.equals(FamilyFields.UNSET) ? new Answer.Settled(given) : new Answer.Rejected(unwanted(given));
        }
        FamilyFields fields = given.withPolicy(policy(kind, given, old));
        Set<String> storedIps =
                new HashSet<>(old.map(before -> before.fields().clusterIps()).orElse(List.of()));
        List<Rejection> rejections = FamilyShape.check(fields, storedIps);
        if (!rejections.isEmpty()) {
            return new Answer.Rejected(rejections);
        }
        if (old.isPresent()) {
            FamilyFields before = old.get().fields();
            if (!isSingle(fields)) {
                rejections = FamilyChange.checkNothingReleased(before, fields);
            }
            fields = isSingle(fields) ? trimmed(fields, before) : fields;
        }
        if (rejections.isEmpty()) {
            rejections = tooMany(fields);
        }
        return rejections.isEmpty() ? fitted(kind, fields) : new Answer.Rejected(rejections);
    }

    private IpFamilyPolicy policy(Kind kind, FamilyFields given, Optional<Stored> old) {
        boolean asInKep = semantics == Semantics.KEP_563;
        boolean two = given.ipFamilies().size() > 1 || given.clusterIps().size() > 1;
        Optional<IpFamilyPolicy> known = given.policy()
                .or(() -> old.flatMap(before -> before.fields().policy())
                        // Naming two families or addresses is a request for dual-stack.
                        .filter(policy -> !(asInKep && two && policy == SINGLE_STACK)));
        if (known.isPresent()) {
            return known.get();
        }
        if (given.isHeadless() && !kind.hasSelector()) {
            return asInKep ? PREFER_DUAL_STACK : REQUIRE_DUAL_STACK;
        }
        return asInKep && two ? REQUIRE_DUAL_STACK : SINGLE_STACK;
    }

    private static boolean isSingle(FamilyFields fields) {
        return fields.policy().equals(Optional.of(SINGLE_STACK));
    }

    /** Shortens lists for a change to a single family: a list sent back unchanged does not contradict it. */
    private static FamilyFields trimmed(FamilyFields fields, FamilyFields before) {
        FamilyFields trimmed = fields;
        if (fields.clusterIps().size() > 1 && fields.clusterIps().equals(before.clusterIps())) {
            trimmed = trimmed.withClusterIps(fields.clusterIps().subList(0, 1));
        }
        if (fields.ipFamilies().size() > 1 && fields.ipFamilies().equals(before.ipFamilies())) {
            trimmed = trimmed.withFamilies(fields.ipFamilies().subList(0, 1));
        }
        return trimmed;
    }

    private static List<Rejection> tooMany(FamilyFields fields) {
        List<Rejection> rejections = new ArrayList<>();
        String rule = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
        if (isSingle(fields) && fields.clusterIps().size() > 1) {
            rejections.add(policyRejection(fields, rule + "cluster IPs are specified"));
        }
        if (isSingle(fields) && fields.ipFamilies().size() > 1) {
            rejections.add(policyRejection(fields, rule + "IP families are specified"));
        }
        return rejections;
    }

    /** Matches the families with the addresses and with the cluster. */
    private Answer fitted(Kind kind, FamilyFields fields) {
        List<Rejection> rejections = new ArrayList<>();
        List<IpFamily> settled = new ArrayList<>(fields.ipFamilies());
        for (int i = settled.size(); i < fields.clusterIps().size(); i++) {
            Optional<Ip> ip = FamilyShape.ipOf(fields.clusterIps().get(i));
            if (ip.isPresent()) {
                IpFamily family = ip.get().family();
                if (!families.contains(family)) {
                    rejections.add(new Rejection(
                            FamilyShape.CLUSTER_IPS + "[" + i + "]",
                            fields.clusterIps().get(i),
                            family + " is not configured on this cluster"));
                }
                settled.add(family);
            }
        }
        boolean dual = !isSingle(fields);
        if (rejections.isEmpty() && fields.isHeadless() && !kind.hasSelector()) {
            // The endpoints of such a Service are not known here, so the families of the cluster do not limit it.
            boolean fromText = semantics == Semantics.KEP_563 && settled.isEmpty() && dual;
            return new Answer.Settled(
                    fields.withFamilies(fromText ? ReadDefaults.HEADLESS_BY_KEP : completed(settled, dual)));
        }
        if (fields.policy().equals(Optional.of(REQUIRE_DUAL_STACK)) && families.size() < 2) {
            rejections.add(policyRejection(fields, "this cluster is not configured for dual-stack services"));
        }
        for (int i = 0; i < fields.ipFamilies().size(); i++) {
            IpFamily family = fields.ipFamilies().get(i);
            if (!families.contains(family)) {
                rejections.add(new Rejection(
                        FamilyShape.FAMILIES + "[" + i + "]", family.toString(), "not configured on this cluster"));
            }
        }
        return rejections.isEmpty()
                ? new Answer.Settled(fields.withFamilies(completed(settled, dual && families.size() > 1)))
                : new Answer.Rejected(rejections);
    }

    private List<IpFamily> completed(List<IpFamily> settled, boolean two) {
        List<IpFamily> completed = new ArrayList<>(settled);
        if (completed.isEmpty()) {
            completed.add(families.getFirst());
        }
        if (two && completed.size() == 1) {
            completed.add(completed.getFirst() == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4);
        }
        return completed;
    }

    private static Rejection policyRejection(FamilyFields fields, String rule) {
        return new Rejection(
                FamilyShape.POLICY,
                fields.policy().map(IpFamilyPolicy::toString).orElse(""),
                rule);
    }

    private static List<Rejection> unwanted(FamilyFields given) {
        List<Rejection> rejections = new ArrayList<>();
        String rule = "must not be set for type ExternalName";
        if (!given.clusterIp().isEmpty()) {
            rejections.add(new Rejection(FamilyShape.CLUSTER_IP, given.clusterIp(), rule));
        }
        if (!given.clusterIps().isEmpty()) {
            rejections.add(new Rejection(FamilyShape.CLUSTER_IPS, String.join(",", given.clusterIps()), rule));
        }
        if (!given.ipFamilies().isEmpty()) {
            rejections.add(
                    new Rejection(FamilyShape.FAMILIES, given.ipFamilies().toString(), rule));
        }
        given.policy().ifPresent(policy -> rejections.add(new Rejection(FamilyShape.POLICY, policy.toString(), rule)));
        return rejections;
    }
}
