package io.dualstackd.agent.config;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;

/** Reads how to log, in our words or in kube-proxy's; ours win. */
final class LoggingReader {
    /** From here on kube-proxy tells what it decides and why, which is our debug. */
    private static final int DEBUG = 4;

    /** From here on it tells what it sends and hears. */
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

    /** Nobody would see warnings only: kube-proxy says what is important at 0, too. */
    private static LogLevel level(int verbosity) {
        return verbosity >= TRACE ? LogLevel.TRACE : verbosity >= DEBUG ? LogLevel.DEBUG : LogLevel.INFO;
    }
}
