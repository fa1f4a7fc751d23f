package io.dualstackd.pods.cri.io;

import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import java.time.Duration;

/** Asks a runtime for its version and prints the result; for tests that need a JVM of its own. */
final class RuntimeVersionMain {
    private RuntimeVersionMain() {}

    @SuppressWarnings("SystemOut") // what it says is what it is for
    public static void main(String[] arguments) {
        RuntimeTimeouts runtimeTimeouts =
                new RuntimeTimeouts(Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(1));
        try (RuntimeClient client = RuntimeClient.open(RuntimeEndpoint.parse(arguments[0]), runtimeTimeouts)) {
            System.out.println(client.version());
        }
    }
}
