package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.objects.ServiceCheck;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Admits a Service except for its numbers: defaults, the values it keeps, the fields that go with a change of type, its IP families, and
 * every rule it must obey (Kubernetes 1.36, KEP-563). Accepts any tree; what cannot be a Service is rejected.
 *
 * @param families those of the cluster, the default one first; one or two
 */
public record ServiceRules(List<IpFamily> families, Semantics semantics) {
    private static final Draft NOTHING = new Draft(new Tree.Mapping(Map.of(), 0));

    public ServiceRules {
        families = List.copyOf(families);
    }

    /** The result of a write. */
    public sealed interface Answer {
        /**
         * @param object the whole object, without line numbers; final except for cluster IPs, node ports and the health port it may still
         *     lack
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

    /** Admits a new Service. */
    public Answer create(Tree.Mapping given) {
        Violations violations = kinds(given);
        Draft object = new Draft(ServiceTree.plain(ServiceCheck.known(given)));
        Metadata.fill(object);
        WrittenAs.sign(object);
        Defaults.fill(object);
        Draft spec = object.object("spec");
        ServiceFields fields = ServiceFields.of(spec);
        if (!fields.isExternalName()) {
            FamilyFields families = ClusterIpFields.normalised(fields.families());
            ServiceTree.putClusterIps(spec, families.clusterIp(), families.clusterIps());
        }
        return settle(object, spec, Optional.empty(), violations);
    }

    /**
     * Admits a Service that is written again; the same text again changes nothing.
     *
     * @param old the Service in force, with all its numbers
     */
    public Answer update(Tree.Mapping given, Tree.Mapping old) {
        Violations violations = kinds(given);
        Draft before = new Draft(readDefaults(old));
        Draft oldSpec = before.object("spec");
        Draft object = new Draft(ServiceTree.plain(ServiceCheck.known(given)));
        Metadata.fill(object);
        WrittenAs.sign(object);
        Answer unchanged = new Answer.Settled(ServiceTree.plain(old), ServiceFields.of(old));
        if (WrittenAs.same(object, before)) {
            return unchanged;
        }
        Metadata.keep(object, before);
        Defaults.fill(object);
        Draft spec = object.object("spec");
        FamilyFields families = ClusterIpFields.normalised(
                ServiceFields.of(spec).families(), ServiceFields.of(oldSpec).families());
        ServiceTree.putClusterIps(spec, families.clusterIp(), families.clusterIps());
        KeptValues.fill(spec, oldSpec);
        DroppedFields.drop(spec, oldSpec);
        ServiceValidation.checkChange(spec, oldSpec, violations);
        Answer answer = settle(object, spec, Optional.of(before), violations);
        // Another text with the same meaning is not a change either.
        return answer instanceof Answer.Settled(Tree.Mapping now, ServiceFields ignored)
                        && WrittenAs.unsigned(now).equals(WrittenAs.unsigned(ServiceTree.plain(old)))
                ? unchanged
                : answer;
    }

    /** An object stored by an older version, with the fields and defaults introduced since; without line numbers. */
    public Tree.Mapping readDefaults(Tree.Mapping stored) {
        Draft object = new Draft(ServiceTree.plain(stored));
        Defaults.fill(object);
        Draft spec = object.object("spec");
        ReadDefaults.fill(spec, families, semantics);
        object.put("spec", spec);
        return object.tree();
    }

    private static Violations kinds(Tree.Mapping given) {
        Violations violations = new Violations();
        ServiceCheck.written(given).forEach(problem -> violations.add(rejection(problem)));
        return violations;
    }

    private static Rejection rejection(Problem problem) {
        return new Rejection(ServiceCheck.field(problem), problem.value(), problem.rule());
    }

    private Answer settle(Draft object, Draft spec, Optional<Draft> before, Violations violations) {
        FamilyWords.check(spec, violations);
        if (violations.isEmptyFor(FamilyWords.FIELDS)) {
            switch (families(spec, before)) {
                case FamilyRules.Answer.Rejected(List<Rejection> rejections) -> violations.addAll(rejections);
                case FamilyRules.Answer.Settled(FamilyFields fields) -> FamilyWords.put(spec, fields);
            }
        }
        object.put("spec", spec);
        DroppedFields.dropStatus(object);
        ServiceValidation.check(object, violations);
        AddressValidation.check(object, before.orElse(NOTHING), violations);
        boolean familiesFit = violations.isEmptyFor(FamilyWords.FIELDS);
        for (Problem problem : ServiceCheck.stored(object.tree())) {
            Rejection rejection = rejection(problem);
            // Where the families were rejected, their fields are as given, which has been reported already.
            if (familiesFit || FamilyWords.FIELDS.stream().noneMatch(rejection.field()::startsWith)) {
                violations.add(rejection);
            }
        }
        return violations.isEmpty() ? new Answer.Settled(object.tree(), ServiceFields.of(spec)) : violations.rejected();
    }

    private FamilyRules.Answer families(Draft spec, Optional<Draft> before) {
        FamilyRules rules = new FamilyRules(families, semantics);
        ServiceFields now = ServiceFields.of(spec);
        if (before.isEmpty()) {
            return rules.create(now.kind(), now.families());
        }
        ServiceFields old = ServiceFields.of(before.get().object("spec"));
        return rules.update(now.kind(), now.families(), new FamilyRules.Stored(old.kind(), old.families()));
    }
}
