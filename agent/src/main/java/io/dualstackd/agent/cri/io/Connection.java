package io.dualstackd.agent.cri.io;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A channel to a runtime, and which calls that runtime does not know. Another runtime may stand behind the socket after a reconnect. */
final class Connection {
    private final ManagedChannel channel;
    private final Set<String> unknownCalls = ConcurrentHashMap.newKeySet();

    Connection(ManagedChannel channel) {
        this.channel = channel;
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
            if (now != ConnectivityState.READY) {
                unknownCalls.clear();
            }
            if (now != ConnectivityState.SHUTDOWN) {
                follow(now);
            }
        });
    }
}
