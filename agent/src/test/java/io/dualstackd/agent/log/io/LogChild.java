package io.dualstackd.agent.log.io;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.supervision.io.FatalAction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of {@link UnreadLogTest}: logs lines, then ends in the way that the argument names. */
final class LogChild {
    static final int LINES = 3000;

    private LogChild() {}

    public static void main(String[] arguments) {
        System.setProperty("java.util.logging.manager", LogToTheEnd.class.getName());
        FatalAction.ofProcess().install();
        if (arguments[0].equals("without-setup")) {
            throw new AssertionError("the end");
        }
        LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
        Logger log = LoggerFactory.getLogger("child");
        for (int i = 0; i < LINES; i++) {
            log.info("line number={}", i);
            if (i == LINES / 2) {
                LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
            }
        }
        if (arguments[0].equals("error")) {
            throw new AssertionError("the end");
        }
        LogSetup.flush();
        System.exit(5);
    }
}
