package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlMessage;
import java.util.List;

/**
 * The kernel's answer to a batch.
 *
 * @param refusals in the order they were received; empty means the whole batch is in force, anything else means nothing of it is. A refusal
 *     with the sequence number of the batch's first message concerns the batch as a whole.
 * @param echoes notifications of the batch's own changes, if it requested them with {@link NlFlags#ECHO}
 */
public record BatchAnswer(List<Refusal> refusals, List<NlMessage> echoes) {
    public BatchAnswer {
        refusals = List.copyOf(refusals);
        echoes = List.copyOf(echoes);
    }

    public boolean accepted() {
        return refusals.isEmpty();
    }
}
