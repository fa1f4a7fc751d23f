package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Component;
import java.util.Map;
import java.util.Optional;

/** The stack traces of a component's threads, for the log. */
final class StackTraces {
    private StackTraces() {}

    /** Returns an exception with the stack of the component's first thread; for a chain of callbacks, without. */
    static Throwable of(Component component, String message) {
        Throwable shown = new Throwable(message);
        shown.setStackTrace(Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> Component.ofThread(entry.getKey().getName()).equals(Optional.of(component)))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(new StackTraceElement[0]));
        return shown;
    }
}
