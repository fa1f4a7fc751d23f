package io.dualstackd.netlink.io;

import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The kernel's error for one message ({@code struct nlmsgerr} of {@code linux/netlink.h}).
 *
 * @param sequence of the refused message
 * @param kernelSays the kernel's own explanation, empty when there is none
 * @param offset where in the refused message, from its header on, the attribute at fault begins
 * @param missing number of the attribute that is missing
 */
public record Refusal(int sequence, Errno errno, String kernelSays, OptionalInt offset, OptionalInt missing) {
    private static final Attr.Text MESSAGE = new Attr.Text(1, "NLMSGERR_ATTR_MSG");
    private static final Attr.U32 OFFSET = new Attr.U32(2, "NLMSGERR_ATTR_OFFS");
    private static final Attr.U32 MISSING_TYPE = new Attr.U32(5, "NLMSGERR_ATTR_MISS_TYPE");
    private static final AttrTable TABLE = AttrTable.of("NLMSGERR_ATTR", MESSAGE, OFFSET, MISSING_TYPE);

    private static final int MESSAGE_HEADER = 16;

    /** A refusal without explanation. */
    public static Refusal of(int sequence, Errno errno) {
        return new Refusal(sequence, errno, "", OptionalInt.empty(), OptionalInt.empty());
    }

    /**
     * Reads a {@code NLMSG_ERROR}.
     *
     * @return empty when it is an acknowledgement
     */
    static Optional<Refusal> ofError(NlMessage message) throws DecodeException {
        NlReader reader = message.body("NLMSG_ERROR");
        Optional<Errno> errno = errno(reader);
        if (errno.isEmpty()) {
            return Optional.empty();
        }
        int quoted = reader.u32();
        reader.skip(MESSAGE_HEADER - 4);
        if ((message.flags() & NlFlags.CAPPED) == 0) {
            // The whole request is quoted; its padding may be missing at the end of the message.
            reader.skip(Math.min(align(quoted) - MESSAGE_HEADER, reader.remaining()));
        }
        return Optional.of(of(message, errno.get(), reader));
    }

    /**
     * Reads a {@code NLMSG_DONE}, which may report that a dump was aborted.
     *
     * @return empty when it was not
     */
    static Optional<Refusal> ofDone(NlMessage message) throws DecodeException {
        NlReader reader = message.body("NLMSG_DONE");
        if (reader.remaining() == 0) {
            return Optional.empty();
        }
        Optional<Errno> errno = errno(reader);
        return errno.isEmpty() ? Optional.empty() : Optional.of(of(message, errno.get(), reader));
    }

    private static Optional<Errno> errno(NlReader reader) throws DecodeException {
        int error = reader.u32();
        if (error > 0 || error == Integer.MIN_VALUE) {
            throw reader.error("want an error number of 0 or less, got " + error);
        }
        return error == 0 ? Optional.empty() : Optional.of(new Errno(-error));
    }

    private static Refusal of(NlMessage message, Errno errno, NlReader explanation) throws DecodeException {
        if ((message.flags() & NlFlags.ACK_ATTRIBUTES) == 0) {
            return of(message.sequence(), errno);
        }
        Attrs attrs = explanation.attrs(TABLE);
        return new Refusal(
                message.sequence(),
                errno,
                attrs.get(MESSAGE, ""),
                attrs.has(OFFSET) ? OptionalInt.of(attrs.get(OFFSET)) : OptionalInt.empty(),
                attrs.has(MISSING_TYPE) ? OptionalInt.of(attrs.get(MISSING_TYPE)) : OptionalInt.empty());
    }

    private static int align(int length) {
        return (length + 3) & ~3;
    }

    /** {@code EEXIST (17) File exists, kernel says "…", attribute at offset 32}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(errno.toString());
        if (!kernelSays.isEmpty()) {
            text.append(", kernel says \"").append(kernelSays).append('"');
        }
        offset.ifPresent(at -> text.append(", attribute at offset ").append(at));
        missing.ifPresent(number -> text.append(", attribute ").append(number).append(" is missing"));
        return text.toString();
    }
}
