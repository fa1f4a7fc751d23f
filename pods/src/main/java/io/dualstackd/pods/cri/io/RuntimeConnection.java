package io.dualstackd.pods.cri.io;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A channel to a runtime, and which calls that runtime does not know. After a reconnect, a different runtime may listen on the socket. */
final class RuntimeConnection {
    private final ManagedChannel channel;
    private final Set<String> unknownCalls = ConcurrentHashMap.newKeySet();
    private final Runnable opened;

    /** @param opened called each time the channel has been connected, before any answer is received on it */
    RuntimeConnection(ManagedChannel channel, Runnable opened) {
        this.channel = channel;
        this.opened = opened;
        follow(channel.getState(false));
    }

    ManagedChannel channel() {
        return channel;
    }

    boolean knows(String call) {
        return !unknownCalls.contains(call);
    }

    void doesNotKnow(String call) {
        unknownCalls.add(call);
    }

    boolean isReady() {
        return channel.getState(false) == ConnectivityState.READY;
    }

    private void follow(ConnectivityState from) {
        channel.notifyWhenStateChanged(from, () -> {
            ConnectivityState now = channel.getState(false);
            if (now == ConnectivityState.READY) {
                opened.run();
            } else {
                unknownCalls.clear();
            }
            if (now != ConnectivityState.SHUTDOWN) {
                follow(now);
            }
        });
    }
}
