package io.dualstackd.supervision.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Promise;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With Netty itself: it catches everything. */
class LibraryErrorsTest {
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void close() {
        LibraryErrors.listen("io.netty");
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void anErrorInATaskOfAnEventLoopEndsTheProcess() {
        LibraryErrors.listen("io.netty", (why, cause) -> ends.add(cause.toString()));
        loop.execute(() -> {
            throw new IllegalStateException("only a mistake");
        });
        loop.execute(() -> {
            throw new OutOfMemoryError("played in a task");
        });
        await().until(() -> !ends.isEmpty());
        assertThat(ends).singleElement().asString().contains("played in a task");
    }

    @Test
    void anErrorInAListenerEndsTheProcess() {
        LibraryErrors.listen("io.netty", (why, cause) -> ends.add(cause.toString()));
        Promise<String> promise = new DefaultPromise<>(loop.next());
        promise.addListener(done -> {
            throw new StackOverflowError("played in a listener");
        });
        promise.setSuccess("");
        await().until(() -> !ends.isEmpty());
        assertThat(ends).singleElement().asString().contains("played in a listener");
    }

    /** {@code java.util.logging} holds a logger weakly, and a library creates its own only when it is first used. */
    @Test
    void anErrorIsFoundInALibraryThatIsFirstUsedAfterAGarbageCollection() {
        LibraryErrors.listen("io.dualstackd.made.up", (why, cause) -> ends.add(cause.toString()));
        WeakReference<Object> collected = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return collected.get() == null;
        });
        Logger.getLogger("io.dualstackd.made.up.Task")
                .log(Level.WARNING, "caught", new OutOfMemoryError("played in a callback"));
        assertThat(ends).singleElement().asString().contains("played in a callback");
    }
}
