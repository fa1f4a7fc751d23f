package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.serviceapi.FamilyFields;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.util.Comparator;
import java.util.Optional;

/**
 * When something is looked at within a batch: first what goes, then what others need, then those who name their numbers, then those who
 * take any.
 *
 * @param stays whether a file says it
 * @param namesNumbers whether it is a Service that wants certain addresses or ports
 */
record BatchPhase(ObjectKey key, boolean stays, boolean namesNumbers) {
    private static final Comparator<ObjectKey.Kind> CIDRS_FIRST = Comparator.comparing(kind -> switch (kind) {
        case SERVICE_CIDR -> 0;
        case IP_ADDRESS -> 1;
        case SERVICE, ENDPOINT_SLICE, NODE -> 2;
    });

    static final Comparator<BatchPhase> ORDER = Comparator.comparing(BatchPhase::stays)
            .thenComparing(batchPhase -> batchPhase.key.kind(), CIDRS_FIRST)
            .thenComparing(batchPhase -> !batchPhase.namesNumbers)
            .thenComparing(BatchPhase::key);

    /** @param said what a file says of it now */
    static BatchPhase of(ObjectKey key, Optional<ApiObject> said) {
        return new BatchPhase(
                key,
                said.isPresent(),
                said.filter(object -> object instanceof WrittenService(var ignored, var tree) && namesNumbers(tree))
                        .isPresent());
    }

    private static boolean namesNumbers(Tree.Mapping service) {
        ServiceFields fields = ServiceFields.of(service);
        FamilyFields families = fields.families();
        return !families.clusterIp().isEmpty()
                || !families.clusterIps().isEmpty()
                || fields.healthPort() != 0
                || fields.ports().stream().anyMatch(port -> port.nodePort() != 0);
    }
}
