package io.dualstackd.agent.app;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The process of {@link ShutdownSignalTest}. It prints {@code ready} when the signal may come, and {@code closed} when what was started is closed. */
final class ShutdownChild {
    static final String RUNNING = "running";
    static final String BETWEEN = "between";
    static final String FAILED = "failed";

    private ShutdownChild() {}

    public static void main(String[] arguments) throws InterruptedException {
        Shutdown shutdown = new Shutdown();
        try {
            shutdown.whileStarting(closer -> {
                closer.accept(() -> say("closed"));
                if (arguments[0].equals(FAILED)) {
                    throw new IOException("as wanted");
                }
            });
        } catch (IOException e) {
            shutdown.cancel();
            System.exit(7);
        }
        if (arguments[0].equals(BETWEEN)) {
            shutdown.startAgain();
            if (shutdown.await().isPresent()) {
                System.exit(8);
            }
        }
        say("ready");
        new CountDownLatch(1).await();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
