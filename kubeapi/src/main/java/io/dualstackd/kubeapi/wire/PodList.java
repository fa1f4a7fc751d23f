package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.PodAddresses;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a list of the pods of one node in JSON that is already in memory. */
public final class PodList {
    private PodList() {}

    /** @throws WireException if it is not a list of pods */
    public static List<PodAddresses> read(String body) throws WireException {
        List<PodAddresses> pods = new ArrayList<>();
        NamePool names = new NamePool();
        JsonList decoder = new JsonList(
                "Pod",
                item -> PodAddresses.read(new Field(item, "", new ProblemCollector("", 0)), names)
                        .ifPresent(pods::add),
                (version, token) -> {});
        decoder.feed(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        decoder.end();
        return List.copyOf(pods);
    }
}
