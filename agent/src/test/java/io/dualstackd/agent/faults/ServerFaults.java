package io.dualstackd.agent.faults;

import io.dualstackd.kubeapi.wire.ApiStatus;
import java.util.Optional;

/** What a {@link FakeApiServer} does wrong at present. Thread-safe. */
final class ServerFaults {
    private boolean hanging;
    private volatile Optional<ApiStatus> instead = Optional.empty();
    private volatile boolean garbage;

    /** From now on nothing is read and nothing is written; the kernel goes on to acknowledge what arrives. */
    synchronized void hang(boolean on) {
        hanging = on;
        notifyAll();
    }

    /** Every request is answered so. */
    void answer(ApiStatus status) {
        instead = Optional.of(status);
    }

    /** Lists and watches consist of bytes that mean nothing. */
    void garbage(boolean on) {
        garbage = on;
    }

    void end() {
        hang(false);
        instead = Optional.empty();
        garbage = false;
    }

    Optional<ApiStatus> instead() {
        return instead;
    }

    boolean isGarbage() {
        return garbage;
    }

    /** Returns when the server does not hang. */
    synchronized void gate() throws InterruptedException {
        while (hanging) {
            wait();
        }
    }
}
