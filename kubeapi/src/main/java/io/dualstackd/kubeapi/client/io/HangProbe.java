package io.dualstackd.kubeapi.client.io;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Detects a server that hangs while its kernel acknowledges what is sent. A quiet watch looks the same, and HTTP/1.1 has no ping: so when
 * no bytes have arrived from an address for a while, a request for its version is sent on another connection. Any response is enough, also
 * a refusal; when there is none in time, all pending responses from that address are ended. Only used on the thread {@code api}.
 */
final class HangProbe {
    /** Every user may request it, and it is served from memory. */
    private static final String QUESTION = "/version";

    private final Dialer dialer;
    private final ApiTimeouts apiTimeouts;
    private final List<ApiConnection> watched;
    private final Map<InetSocketAddress, Probe> probes = new HashMap<>();

    /** @param watched connections whose answers may last for minutes */
    HangProbe(Dialer dialer, ApiTimeouts apiTimeouts, List<ApiConnection> watched) {
        this.dialer = dialer;
        this.apiTimeouts = apiTimeouts;
        this.watched = List.copyOf(watched);
    }

    /** Checks all connections; to be called several times in {@link ApiTimeouts#quiet}. */
    void check() {
        long now = dialer.loop().platform().nanoTime();
        Map<InetSocketAddress, Long> silence = new HashMap<>();
        for (ApiConnection connection : watched) {
            connection
                    .waiting()
                    .ifPresent(waiting -> silence.merge(waiting.peer(), now - waiting.lastContact(), Math::min));
        }
        probes.entrySet().removeIf(entry -> {
            boolean unused = !silence.containsKey(entry.getKey());
            if (unused) {
                entry.getValue().connection.close();
            }
            return unused;
        });
        silence.forEach((peer, nanos) -> {
            if (nanos >= apiTimeouts.quiet().toNanos()) {
                probes.computeIfAbsent(peer, Probe::new).probe(now);
            }
        });
    }

    void close() {
        probes.values().forEach(probe -> probe.connection.close());
        probes.clear();
    }

    /** Ends all pending responses from the address, unless bytes arrived during the probe. */
    private void hangs(InetSocketAddress peer, long sent, String why) {
        for (ApiConnection connection : new ArrayList<>(watched)) {
            connection
                    .waiting()
                    .filter(waiting -> waiting.peer().equals(peer) && waiting.lastContact() - sent < 0)
                    .ifPresent(waiting -> connection.hung(dialer.serverName() + " has sent nothing for "
                            + Duration.ofNanos(dialer.loop().platform().nanoTime() - waiting.lastContact())
                                    .toSeconds()
                            + " s, and does not answer when asked for " + QUESTION + ": " + why));
        }
    }

    /** The probe of one address. */
    private final class Probe implements ResponseListener {
        private final InetSocketAddress peer;
        private final ApiConnection connection;
        private long sent;
        private Optional<Long> answered = Optional.empty();

        private Probe(InetSocketAddress peer) {
            this.peer = peer;
            this.connection = new ApiConnection(dialer, Optional.of(peer));
        }

        private void probe(long now) {
            boolean fresh = answered.filter(
                            last -> now - last < apiTimeouts.quiet().toNanos())
                    .isPresent();
            if (fresh || connection.isBusy()) {
                return;
            }
            sent = now;
            connection.send(
                    ApiRequest.get(QUESTION, "application/json", false, apiTimeouts.probe(), apiTimeouts.probe()),
                    this);
        }

        @Override
        public void head(int status, String contentType, String retryAfter) {
            answered = Optional.of(dialer.loop().platform().nanoTime());
        }

        @Override
        public void end() {}

        /** Without file descriptors or name resolution the probe cannot be sent, which shows nothing about the others. */
        @Override
        public void failed(boolean begun, String why) {}

        @Override
        public void silent(boolean begun, String why) {
            if (!begun) {
                hangs(peer, sent, why);
            }
        }
    }
}
