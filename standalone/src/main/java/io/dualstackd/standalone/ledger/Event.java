package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Instant;

/**
 * Something the ledger found or did that its owner should know, as a Kubernetes event says it. All of them are warnings.
 *
 * @param about the object, as {@code Service shop/web}
 * @param reason as {@code ClusterIPNotAllocated}
 * @param message for people
 * @param count how often it was said
 */
public record Event(ObjectKey about, String reason, String message, Instant first, Instant last, int count) {}
