package io.dualstackd.agent.log.io;

import io.dualstackd.agent.log.LogLevel;
import java.util.Objects;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;

/** An SLF4J logger that makes {@link FieldRecord}s for the logger of {@code java.util.logging} with the same name. */
final class LoggerOverJul extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;
    private static final Object[] NONE = {};

    private final transient Logger target;

    /**
     * True for our loggers, whose names are one word. A logger of a library is named after a class, and its templates may contain values.
     */
    private final boolean fields;

    LoggerOverJul(String name) {
        this.name = name;
        this.target = Logger.getLogger(name.equals(ROOT_LOGGER_NAME) ? "" : name);
        this.fields = name.indexOf('.') < 0;
    }

    @Override
    public boolean isTraceEnabled() {
        return target.isLoggable(Levels.of(LogLevel.TRACE));
    }

    @Override
    public boolean isDebugEnabled() {
        return target.isLoggable(Levels.of(LogLevel.DEBUG));
    }

    @Override
    public boolean isInfoEnabled() {
        return target.isLoggable(Levels.of(LogLevel.INFO));
    }

    @Override
    public boolean isWarnEnabled() {
        return target.isLoggable(Levels.of(LogLevel.WARN));
    }

    @Override
    public boolean isErrorEnabled() {
        return target.isLoggable(Levels.of(LogLevel.ERROR));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String template,
            Object @Nullable [] values,
            @Nullable Throwable thrown) {
        FieldRecord fieldRecord =
                new FieldRecord(jul(level), String.valueOf(template), Objects.requireNonNullElse(values, NONE), fields);
        fieldRecord.setLoggerName(target.getName());
        fieldRecord.setThrown(thrown);
        target.log(fieldRecord);
    }

    private static java.util.logging.Level jul(Level level) {
        return Levels.of(
                switch (level) {
                    case ERROR -> LogLevel.ERROR;
                    case WARN -> LogLevel.WARN;
                    case INFO -> LogLevel.INFO;
                    case DEBUG -> LogLevel.DEBUG;
                    case TRACE -> LogLevel.TRACE;
                });
    }
}
