package io.dualstackd.agent.log.io;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Binds SLF4J to {@code java.util.logging}. SLF4J finds it by its name in {@code META-INF/services}. SLF4J's own binding passes on
 * formatted messages, in which values cannot be distinguished from the template any more.
 */
public final class LogProvider implements SLF4JServiceProvider {
    private final ILoggerFactory loggers = new Loggers();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public void initialize() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0";
    }

    /** Strong references to the loggers, which {@code java.util.logging} holds weakly. */
    private static final class Loggers implements ILoggerFactory {
        private final ConcurrentMap<String, Logger> known = new ConcurrentHashMap<>();

        @Override
        public Logger getLogger(String name) {
            return known.computeIfAbsent(name, LoggerOverJul::new);
        }
    }
}
