package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Component;
import java.util.Map;
import java.util.Optional;

/** Where the threads of a component stand, to be logged. */
final class StackTraces {
    private StackTraces() {}

    /** With the stack of the component's first thread; of a chain of callbacks, without. */
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
