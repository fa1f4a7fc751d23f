package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.function.Consumer;

/** Writes what the kernel would answer. */
public final class Answers {
    private static final Attr.Text MESSAGE = new Attr.Text(1, "NLMSGERR_ATTR_MSG");
    private static final Attr.U32 OFFSET = new Attr.U32(2, "NLMSGERR_ATTR_OFFS");

    private Answers() {}

    /** One datagram of the messages that {@code body} writes. */
    public static Arrival.Messages datagram(Consumer<NlWriter> body) {
        NlWriter writer = new NlWriter();
        body.accept(writer);
        return split(writer.toByteArray());
    }

    public static Arrival.Messages ack(int sequence) {
        return datagram(w -> error(w, sequence, 0, "", -1));
    }

    public static Arrival.Messages refusal(int sequence, Errno errno) {
        return datagram(w -> error(w, sequence, errno.number(), "", -1));
    }

    /** @param offset of the attribute at fault; negative for none */
    public static Arrival.Messages refusal(int sequence, Errno errno, String kernelSays, int offset) {
        return datagram(w -> error(w, sequence, errno.number(), kernelSays, offset));
    }

    /** The end of a dump. */
    public static Arrival.Messages done(int sequence) {
        return datagram(w -> message(w, NlMessage.DONE, NlFlags.MULTI, sequence, body -> body.u32(0)));
    }

    /** One message in a datagram of its own. */
    public static Arrival.Messages data(int type, int flags, int sequence, Consumer<NlWriter> body) {
        return datagram(w -> message(w, type, flags, sequence, body));
    }

    public static void message(NlWriter writer, int type, int flags, int sequence, Consumer<NlWriter> body) {
        int mark = writer.startMessage(type, flags, sequence);
        body.accept(writer);
        writer.endMessage(mark);
    }

    /** {@code NLMSG_ERROR} as the kernel writes it with NETLINK_CAP_ACK and NETLINK_EXT_ACK. */
    public static void error(NlWriter writer, int sequence, int errno, String kernelSays, int offset) {
        boolean explained = !kernelSays.isEmpty() || offset >= 0;
        int flags = NlFlags.CAPPED | (explained ? NlFlags.ACK_ATTRIBUTES : 0);
        message(writer, NlMessage.ERROR, flags, sequence, body -> {
            body.u32(-errno);
            // The header of the refused message.
            body.u32(16);
            body.u16(0);
            body.u16(0);
            body.u32(sequence);
            body.u32(0);
            if (!kernelSays.isEmpty()) {
                body.put(MESSAGE, kernelSays);
            }
            if (offset >= 0) {
                body.put(OFFSET, offset);
            }
        });
    }

    static Arrival.Messages split(byte[] datagram) {
        try {
            return new Arrival.Messages(NlMessage.split(datagram, datagram.length));
        } catch (DecodeException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
