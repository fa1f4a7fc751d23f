package io.dualstackd.standalone.ledger;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.time.Instant;

/**
 * Something that the owner of an object should know, in the form of a Kubernetes event.
 *
 * @param about the object, as {@code Service shop/web}
 * @param reason as {@code ClusterIPNotAllocated}
 * @param message for people
 * @param count how often it happened
 */
public record Event(ObjectKey about, Type type, String reason, String message, Instant first, Instant last, int count) {
    /** As in the field {@code type}. */
    public enum Type {
        /** For information. */
        NORMAL("Normal"),
        /** Something may have to be done. */
        WARNING("Warning");

        private final String label;

        Type(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }
}
