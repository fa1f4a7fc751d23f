package io.dualstackd.agent.log.io;

import io.dualstackd.kubeapi.store.ServiceChange;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code java.util.logging} that keeps the fields of its message. The message is made when it is first asked for: most records
 * of changes are never read. Safe for use by several threads.
 */
final class FieldRecord extends LogRecord {
    private static final long serialVersionUID = 1;

    private final transient Object[] values;
    private final transient String threadName = Thread.currentThread().getName();

    /** Whether the template has fields. */
    private final transient boolean withFields;

    private transient volatile @Nullable LogMessage message;

    /** @param values as they are now; those that can change must not be read later */
    FieldRecord(Level level, String template, Object[] values, boolean withFields) {
        super(level, template);
        this.values = values.clone();
        this.withFields = withFields;
        // Otherwise a walk up the stack would find the binding.
        setSourceClassName(null);
        setSourceMethodName(null);
    }

    private LogMessage made() {
        LogMessage made = message;
        if (made == null) {
            String template = Objects.requireNonNullElse(super.getMessage(), "");
            made = withFields ? LogMessage.of(template, values) : LogMessage.plain(template, values);
            message = made;
        }
        return made;
    }

    /** The message with its fields. */
    @Override
    public String getMessage() {
        return made().text();
    }

    /** The message without its fields. */
    String sentence() {
        return made().sentence();
    }

    Map<String, Object> fields() {
        return made().fields();
    }

    /** The name of the thread that made the record. */
    String threadName() {
        return threadName;
    }

    /** The change that the record is about: an immutable value, so that its text can be made later. */
    Optional<ServiceChange> change() {
        for (Object value : values) {
            if (value instanceof ServiceChange change) {
                return Optional.of(change);
            }
        }
        return Optional.empty();
    }
}
