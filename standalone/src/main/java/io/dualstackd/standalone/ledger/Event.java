package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Instant;

/**
 * Something the ledger found or did that the owner of the object should know, in the form of a Kubernetes event. All events are warnings.
 *
 * @param about the object, as {@code Service shop/web}
 * @param reason as {@code ClusterIPNotAllocated}
 * @param message for people
 * @param count how often it happened
 */
public record Event(ObjectKey about, String reason, String message, Instant first, Instant last, int count) {}
