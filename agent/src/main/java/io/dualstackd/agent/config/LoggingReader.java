package io.dualstackd.agent.config;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;

/** Reads the logging settings, from our keys or from kube-proxy's; ours take precedence. */
final class LoggingReader {
    /** The verbosity from which on kube-proxy logs its decisions and their reasons, which is our debug. */
    private static final int DEBUG = 4;

    /** The verbosity from which on kube-proxy logs its requests and responses. */
    private static final int TRACE = 6;

    private LoggingReader() {}

    static AgentConfig.Logging read(ConfigValues configValues) {
        int verbosity = configValues.number(Key.VERBOSITY, 0, Integer.MAX_VALUE);
        LogFormat theirFormat = configValues.choice(Key.LOGGING_FORMAT, LogFormat.class);
        LogFormat format = configValues.choice(Key.LOG_FORMAT, LogFormat.class);
        LogLevel level = configValues.choice(Key.LOG_LEVEL, LogLevel.class);
        return new AgentConfig.Logging(
                configValues.isGiven(Key.LOG_FORMAT) ? format : theirFormat,
                configValues.isGiven(Key.LOG_LEVEL) ? level : level(verbosity));
    }

    /** Never warnings only: kube-proxy logs important messages at 0, too. */
    private static LogLevel level(int verbosity) {
        return verbosity >= TRACE ? LogLevel.TRACE : verbosity >= DEBUG ? LogLevel.DEBUG : LogLevel.INFO;
    }
}
