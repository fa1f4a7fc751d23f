package io.dualstackd.agent.log.io;

import java.util.logging.LogManager;

/**
 * The log stays open until the process is gone. {@code java.util.logging} closes its handlers in a shutdown hook of its own, which
 * runs beside ours, so the last lines would be lost. Chosen by the system property {@code java.util.logging.manager}.
 */
public final class LogToTheEnd extends LogManager {
    /** Does nothing: nobody but that hook calls it, and our handler holds nothing back that needs a close. */
    @Override
    public void reset() {}
}
