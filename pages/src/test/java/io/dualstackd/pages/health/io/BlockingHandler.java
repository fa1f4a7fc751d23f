package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Says its thread: at {@code /slow} once it may, after a long time; elsewhere at once. */
final class PageThatWaits implements HttpHandler {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch may = new CountDownLatch(1);
    private final List<String> made = new CopyOnWriteArrayList<>();

    @Override
    public Optional<HttpAnswer> answer(HttpRequest request, Ip address) {
        if (takesLong(request)) {
            asked.countDown();
            try {
                may.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        made.add(request.path());
        return request.path().equals("/slow/bug")
                ? Optional.of(HttpAnswer.text(Integer.parseInt("a bug, wanted by the test"), ""))
                : Optional.of(HttpAnswer.text(200, Thread.currentThread().getName()));
    }

    @Override
    public boolean takesLong(HttpRequest request) {
        return request.path().startsWith("/slow");
    }

    /** Waits until a slow page is being made. */
    void awaitAsked() throws InterruptedException {
        asked.await();
    }

    void goOn() {
        may.countDown();
    }

    /** The paths of answers that were made, in order. */
    List<String> made() {
        return made;
    }
}
