package io.dualstackd.agent.log.io;

import java.util.logging.LogManager;

/**
 * A log manager that keeps the log open until the process has ended. {@code java.util.logging} closes its handlers in a shutdown hook of
 * its own, which runs in parallel to ours, so the last lines would be lost. Selected by the system property
 * {@code java.util.logging.manager}.
 */
public final class LogToTheEnd extends LogManager {
    /** Does nothing: only that hook calls it, and what ends the process has the last lines written before. */
    @Override
    public void reset() {}
}
