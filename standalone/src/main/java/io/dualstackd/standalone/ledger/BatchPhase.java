package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.standalone.serviceapi.FamilyFields;
import io.dualstackd.standalone.serviceapi.ServiceFields;
import java.util.Comparator;
import java.util.Optional;

/**
 * The phase of a batch in which an object is processed: first removals, then what others depend on, then Services, in the order of
 * {@link Numbers}.
 *
 * @param stays whether a file has it
 * @param numbers what a Service requests
 */
record BatchPhase(ObjectKey key, boolean stays, Numbers numbers) {
    /** What a Service requests: what is chosen for one must not be what a later one names. */
    enum Numbers {
        /** Nothing is chosen. */
        ALL_NAMED,
        /** A port, but no address. */
        ANY_ADDRESS,
        /** An address or a port, and another port is chosen. */
        ANY_PORT,
        /** Everything is chosen. */
        NONE_NAMED
    }

    private static final Comparator<ObjectKey.Kind> CIDRS_FIRST = Comparator.comparing(kind -> switch (kind) {
        case SERVICE_CIDR -> 0;
        case IP_ADDRESS -> 1;
        case SERVICE, ENDPOINT_SLICE, ENDPOINTS, NODE -> 2;
    });

    static final Comparator<BatchPhase> ORDER = Comparator.comparing(BatchPhase::stays)
            .thenComparing(batchPhase -> batchPhase.key.kind(), CIDRS_FIRST)
            .thenComparing(BatchPhase::numbers)
            .thenComparing(BatchPhase::key);

    /** @param written the object as a file has it now */
    static BatchPhase of(ObjectKey key, Optional<ApiObject> written) {
        return new BatchPhase(
                key,
                written.isPresent(),
                written.orElse(null) instanceof WrittenService(var ignored, var tree)
                        ? numbers(ServiceFields.of(tree))
                        : Numbers.NONE_NAMED);
    }

    private static Numbers numbers(ServiceFields fields) {
        FamilyFields families = fields.families();
        boolean address =
                !families.clusterIp().isEmpty() || !families.clusterIps().isEmpty();
        boolean port = fields.healthPort() != 0 || fields.ports().stream().anyMatch(each -> each.nodePort() != 0);
        if (!address && !port) {
            return Numbers.NONE_NAMED;
        }
        boolean anyPort = (fields.needsNodePorts() && fields.ports().stream().anyMatch(each -> each.nodePort() == 0))
                || (fields.needsHealthPort() && fields.healthPort() == 0);
        if (anyPort) {
            return Numbers.ANY_PORT;
        }
        return address ? Numbers.ALL_NAMED : Numbers.ANY_ADDRESS;
    }
}
