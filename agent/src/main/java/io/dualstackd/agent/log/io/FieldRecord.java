package io.dualstackd.agent.log.io;

import io.dualstackd.kubeapi.store.ServiceDiff;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code java.util.logging} that keeps the fields of its message. The message is made when it is read: most records of
 * changes never are. Safe for use by several threads.
 */
final class FieldRecord extends LogRecord {
    private static final long serialVersionUID = 1;

    private final transient Object[] values;
    private final transient String threadName = Thread.currentThread().getName();

    /** Whether the template has fields. */
    private final transient boolean withFields;

    private final transient Optional<ServiceDiff> diff;
    private transient volatile @Nullable LogMessage message;

    /** @param values as they are now; those that can change must not be read later */
    FieldRecord(Level level, String template, Object[] values, boolean withFields) {
        super(level, template);
        this.values = values.clone();
        this.withFields = withFields;
        this.diff = diffIn(values);
        // Otherwise a walk up the stack would find the binding.
        setSourceClassName(null);
        setSourceMethodName(null);
    }

    private static Optional<ServiceDiff> diffIn(Object[] values) {
        for (Object value : values) {
            if (value instanceof ServiceDiff diff) {
                return Optional.of(diff);
            }
        }
        return Optional.empty();
    }

    /** The message, which is kept except for a change: thousands of these may be waiting for a reader, and their texts are long. */
    LogMessage message() {
        LogMessage known = message;
        if (known != null) {
            return known;
        }
        String template = Objects.requireNonNullElse(super.getMessage(), "");
        LogMessage made = withFields ? LogMessage.of(template, values) : LogMessage.plain(template, values);
        message = diff.isEmpty() ? made : null;
        return made;
    }

    /** The message with its fields. */
    @Override
    public String getMessage() {
        return message().text();
    }

    /** The name of the thread that made the record. */
    String threadName() {
        return threadName;
    }

    /** The change that the record is about, an immutable value. */
    Optional<ServiceDiff> diff() {
        return diff;
    }
}
