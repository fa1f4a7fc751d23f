package io.dualstackd.netlink.io;

import io.dualstackd.netlink.wire.NlWriter;
import java.util.function.Consumer;

/**
 * One message to the kernel that has no sequence number yet.
 *
 * @param operation what it does, as text for errors: {@code add link br0}
 * @param type the message type
 * @param flags {@link NlFlags} beyond REQUEST, ACK and DUMP, which {@link NetlinkConnection} sets itself
 * @param body writes everything after the header
 */
public record Request(String operation, int type, int flags, Consumer<NlWriter> body) {
    void write(NlWriter writer, int moreFlags, int sequence) {
        int mark = writer.startMessage(type, flags | moreFlags | NlFlags.REQUEST, sequence);
        body.accept(writer);
        writer.endMessage(mark);
    }
}
