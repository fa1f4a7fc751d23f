package io.dualstackd.netlink.io;

import io.dualstackd.netlink.nft.NftGeneration;
import java.util.List;
import java.util.Optional;

/** The kernel's answer to an nf_tables batch. */
public sealed interface NftOutcome {
    /**
     * All of it is in force.
     *
     * @param handles those the kernel gave the rules whose messages requested an echo, in their order
     * @param generation the rule set's version after the batch; empty when the kernel did not report it
     */
    record Applied(List<Long> handles, Optional<NftGeneration> generation) implements NftOutcome {
        public Applied {
            handles = List.copyOf(handles);
        }
    }

    /** No part of the batch is in force. */
    record Refused(List<Problem> problems) implements NftOutcome {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** Nothing of it is in force: the rule set was changed by another program since the generation the batch began with. */
    record Outdated() implements NftOutcome {}

    /** The kernel could not be reached, or its answer is missing: whether the batch is in force is unknown. A new client should be opened. */
    record Unreachable(NetlinkException reason) implements NftOutcome {}

    /**
     * The kernel's answer to one message.
     *
     * @param index of the message in the batch, from 0; negative when the batch as a whole was refused
     * @param operation the operation of the message, as text
     */
    record Problem(int index, String operation, Refusal refusal) {
        /** {@code delete chain ip nat X: EBUSY (16) Device or resource busy}. */
        @Override
        public String toString() {
            return operation + ": " + refusal;
        }
    }
}
