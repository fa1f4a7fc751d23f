package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Answers with the name of its thread: below {@code /slow} only after {@link #release}, elsewhere at once. */
final class BlockingHandler implements HttpHandler {
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> served = new CopyOnWriteArrayList<>();

    @Override
    public Optional<HttpAnswer> answer(HttpRequest request, Ip address) {
        if (takesLong(request)) {
            requested.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        served.add(request.path());
        return request.path().equals("/slow/bug")
                ? Optional.of(HttpAnswer.text(Integer.parseInt("a bug, wanted by the test"), ""))
                : Optional.of(HttpAnswer.text(200, Thread.currentThread().getName()));
    }

    @Override
    public boolean takesLong(HttpRequest request) {
        return request.path().startsWith("/slow");
    }

    /** Waits until a slow page is being made. */
    void awaitRequest() throws InterruptedException {
        requested.await();
    }

    void release() {
        released.countDown();
    }

    /** The paths of answers that were made, in order. */
    List<String> served() {
        return served;
    }
}
