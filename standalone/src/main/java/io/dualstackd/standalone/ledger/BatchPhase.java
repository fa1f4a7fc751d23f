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
 * The phase of a batch in which an object is processed: first removals, then what others depend on, then Services that name their numbers,
 * then Services that accept any number.
 *
 * @param stays whether a file has it
 * @param namesNumbers whether it is a Service that requests certain addresses or ports
 */
record BatchPhase(ObjectKey key, boolean stays, boolean namesNumbers) {
    private static final Comparator<ObjectKey.Kind> CIDRS_FIRST = Comparator.comparing(kind -> switch (kind) {
        case SERVICE_CIDR -> 0;
        case IP_ADDRESS -> 1;
        case SERVICE, ENDPOINT_SLICE, ENDPOINTS, NODE -> 2;
    });

    static final Comparator<BatchPhase> ORDER = Comparator.comparing(BatchPhase::stays)
            .thenComparing(batchPhase -> batchPhase.key.kind(), CIDRS_FIRST)
            .thenComparing(batchPhase -> !batchPhase.namesNumbers)
            .thenComparing(BatchPhase::key);

    /** @param written the object as a file has it now */
    static BatchPhase of(ObjectKey key, Optional<ApiObject> written) {
        return new BatchPhase(
                key,
                written.isPresent(),
                written.filter(object -> object instanceof WrittenService(var ignored, var tree) && namesNumbers(tree))
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
