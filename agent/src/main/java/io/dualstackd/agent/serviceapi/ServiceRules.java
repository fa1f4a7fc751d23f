package io.dualstackd.agent.serviceapi;

import io.dualstackd.agent.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * Settles a Service but for its numbers: defaults, the values it keeps, the fields that go with a change of type, its IP families, and
 * every rule it must obey (Kubernetes 1.36, KEP-563).
 *
 * @param families those of the cluster, the default one first; one or two
 */
public record ServiceRules(List<IpFamily> families, Semantics semantics) {
    public ServiceRules {
        families = List.copyOf(families);
    }

    /** What became of a write. */
    public sealed interface Answer {
        /**
         * @param object the whole object; final but for cluster IPs, node ports and the health port it may still lack
         * @param fields of this object
         */
        record Settled(Tree.Mapping object, ServiceFields fields) implements Answer {}

        /** At least one; the write has no effect. */
        record Rejected(List<Rejection> rejections) implements Answer {
            public Rejected {
                rejections = List.copyOf(rejections);
            }
        }
    }

    /** A Service that was not there before. */
    public Answer create(Tree.Mapping given) {
        Draft draft = new Draft(ServiceTree.plain(given));
        Draft spec = draft.object("spec");
        ServiceFields fields = ServiceFields.of(spec);
        FamilyRules rules = new FamilyRules(families, semantics);
        return settled(draft, spec, rules.create(fields.kind(), ClusterIpFields.normalised(fields.families())));
    }

    /**
     * A Service that is written again.
     *
     * @param old as it is in force, with all its numbers
     */
    public Answer update(Tree.Mapping given, Tree.Mapping old) {
        ServiceFields before = ServiceFields.of(old);
        Draft draft = new Draft(ServiceTree.plain(given));
        Draft spec = draft.object("spec");
        ServiceFields fields = ServiceFields.of(spec);
        FamilyRules rules = new FamilyRules(families, semantics);
        FamilyFields wanted = ClusterIpFields.kept(
                ClusterIpFields.normalised(fields.families(), before.families()), before.families());
        return settled(
                draft,
                spec,
                rules.update(fields.kind(), wanted, new FamilyRules.Stored(before.kind(), before.families())));
    }

    private static Answer settled(Draft draft, Draft spec, FamilyRules.Answer answer) {
        return switch (answer) {
            case FamilyRules.Answer.Rejected(List<Rejection> rejections) -> new Answer.Rejected(rejections);
            case FamilyRules.Answer.Settled(FamilyFields fields) -> {
                putFamilies(spec, fields);
                draft.put("spec", spec);
                yield new Answer.Settled(draft.tree(), ServiceFields.of(spec));
            }
        };
    }

    private static void putFamilies(Draft spec, FamilyFields fields) {
        ServiceTree.putClusterIps(spec, fields.clusterIp(), fields.clusterIps());
        if (!fields.ipFamilies().isEmpty()) {
            spec.putTexts(
                    "ipFamilies",
                    fields.ipFamilies().stream().map(IpFamily::toString).toList());
        }
        fields.policy().ifPresent(policy -> spec.put("ipFamilyPolicy", policy.toString()));
    }

    /** An object as an older version stored it, with the fields that came later. */
    public Tree.Mapping readDefaults(Tree.Mapping stored) {
        return ServiceTree.plain(stored);
    }
}
