package io.dualstackd.agent.app;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGHUP, which otherwise would end the process. It uses reflection: the JDK has no other API for signals, and the compiler's
 * warning about this one cannot be suppressed.
 */
public final class SighupHandler {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private SighupHandler() {}

    /** Calls {@code action} on a thread of its own for each SIGHUP from now on. */
    public static void call(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, given) -> {
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), ours);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.warn("SIGHUP cannot be handled reason=\"{}\" next=files-are-watched-anyway", e.toString());
        }
    }
}
