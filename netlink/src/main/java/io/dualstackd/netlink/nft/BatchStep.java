package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/** The operation of one message of a batch; formatted only when the kernel refuses it. */
sealed interface BatchStep {

    /** One object, described by its own text. */
    record One(String verb, Object object) implements BatchStep {}

    /** A rule that was already encoded when it was added; it is decoded when a description is requested. */
    record Encoded(String verb) implements BatchStep {}

    /**
     * Elements {@code from} to {@code to - 1} of the list.
     *
     * @param listOffset offset of the element list in the message
     */
    record Elements(String verb, SetName set, List<NftElement> elements, int from, int to, int listOffset)
            implements BatchStep {}

    /** Elements that were already encoded when they were added; they are decoded when a description is requested. */
    record Packed(String verb, int count, int listOffset) implements BatchStep {}

    /** Offset of a list of elements in the message; 0 when there is none. */
    default int listOffset() {
        return switch (this) {
            case Elements elements -> elements.listOffset;
            case Packed packed -> packed.listOffset;
            case One _, Encoded _ -> 0;
        };
    }

    /** Returns which element of the list in message {@code message} contains its byte {@code offset}. */
    static int elementAt(NlWriter writer, int message, int list, int offset) {
        int at = list + HEADER;
        int end = writer.messageLength(message);
        int index = 0;
        while (at < end) {
            int next = at + writer.attributeSpan(message + at);
            if (offset < next) {
                break;
            }
            at = next;
            index++;
        }
        return index;
    }

    /** Bytes of an attribute header. */
    int HEADER = 4;

    default String describe(NlWriter writer, int message, int offset) {
        return switch (this) {
            case One(String verb, Object object) -> verb + " " + line(object);
            case Encoded(String verb) -> verb + " " + line(rule(writer.message(message)));
            case Elements(String verb, SetName set, var elements, int from, int to, int list) -> {
                int index = from + (offset > list ? elementAt(writer, message, list, offset) : 0);
                yield offset > list && index < to
                        ? verb + " element " + set + " { " + elements.get(index) + " }"
                        : verb + " " + (to - from) + " elements " + set + " { " + elements.get(from)
                                + (to - from > 1 ? ", …" : "") + " }";
            }
            case Packed(String verb, int count, int list) -> {
                ElementCodec.Listed listed = elements(writer.message(message));
                int index = offset > list ? elementAt(writer, message, list, offset) : count;
                yield index < count
                        ? verb + " element " + listed.set() + " { "
                                + listed.elements().get(index) + " }"
                        : verb + " " + count + " elements " + listed.set() + " { "
                                + listed.elements().getFirst() + (count > 1 ? ", …" : "") + " }";
            }
        };
    }

    /** A rule prints a line per expression; an error message is one line. */
    private static String line(Object object) {
        return object.toString().replace("\n ", "");
    }

    private static ElementCodec.Listed elements(NlMessage message) {
        try {
            return ElementCodec.read(message);
        } catch (DecodeException e) {
            throw new IllegalStateException("elements of ours do not decode", e);
        }
    }

    private static NftRule rule(NlMessage message) {
        try {
            return NftRule.read(message);
        } catch (DecodeException e) {
            throw new IllegalStateException("a rule of ours does not decode", e);
        }
    }
}
