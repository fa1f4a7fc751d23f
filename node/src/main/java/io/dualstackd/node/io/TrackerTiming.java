package io.dualstackd.node.io;

import io.dualstackd.nodeaddr.io.WatchTiming;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;

/** The clock and the thread of a watch, as the platform has them. */
record TrackerTiming(Platform platform) implements WatchTiming {
    @Override
    public long nanoTime() {
        return platform.nanoTime();
    }

    @Override
    public void start(String name, Runnable work) {
        platform.thread(name, work).start();
    }

    @Override
    public End end() {
        Platform.Latch latch = platform.latch();
        return new End() {
            @Override
            public void come() {
                latch.open();
            }

            @Override
            public boolean hasCome() {
                return latch.isOpen();
            }

            @Override
            public boolean await(Duration longest) throws InterruptedException {
                return latch.await(longest);
            }
        };
    }
}
