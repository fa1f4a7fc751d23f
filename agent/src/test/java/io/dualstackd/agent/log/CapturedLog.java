package io.dualstackd.agent.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The messages that one logger gets until this is closed. */
public final class CapturedLog extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    /** @param level the lowest level that is captured */
    public CapturedLog(String name, Level level) {
        logger = Logger.getLogger(name);
        setLevel(level);
        logger.addHandler(this);
    }

    public List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord logged) {
        if (isLoggable(logged)) {
            messages.add(logged.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
