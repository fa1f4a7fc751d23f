package io.dualstackd.agent.log.io;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** A record of {@code java.util.logging} that keeps the fields of its message. */
final class FieldRecord extends LogRecord {
    private static final long serialVersionUID = 1;

    private final transient String sentence;
    private final transient Map<String, Object> fields;

    FieldRecord(Level level, LogMessage message) {
        super(level, message.text());
        this.sentence = message.sentence();
        this.fields = message.fields();
        // Otherwise a walk up the stack would find the binding.
        setSourceClassName(null);
        setSourceMethodName(null);
    }

    /** The message without its fields. */
    String sentence() {
        return sentence;
    }

    Map<String, Object> fields() {
        return fields;
    }
}
