package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.kubeapi.wire.raw.ObjectSchema;
import io.dualstackd.kubeapi.wire.raw.PodAddresses;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a list of the pods of one node in JSON that is already in memory. */
public final class PodList {
    private PodList() {}

    /** @throws WireException if it is not a list of pods */
    public static List<PodAddresses> read(String body) throws WireException {
        Collected pods = new Collected();
        JsonList<PodAddresses> decoder = new JsonList<>(new ObjectReader<>(ObjectSchema.PODS, pods));
        decoder.feed(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        decoder.end();
        return List.copyOf(pods.all);
    }

    private static final class Collected implements ObjectListener<PodAddresses> {
        private final List<PodAddresses> all = new ArrayList<>();

        @Override
        public void put(PodAddresses pod, String resourceVersion) {
            all.add(pod);
        }

        @Override
        public void gone(PodAddresses last, String resourceVersion) {}

        @Override
        public void unreadable(String namespace, String name, String resourceVersion, String why) {}

        @Override
        public void dropped(IgnoredValue value) {}

        @Override
        public void bookmark(String resourceVersion, boolean initialEventsEnd) {}

        @Override
        public void listed(String resourceVersion, Optional<String> continueToken) {}

        @Override
        public void error(ApiStatus status) {}
    }
}
