package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;

/** What one message of a batch does; put into words only when the kernel refuses it. */
sealed interface BatchStep {

    /** One object; its own text says what it is. */
    record One(String verb, Object object) implements BatchStep {}

    /**
     * Elements {@code from} to {@code to - 1} of the list.
     *
     * @param listOffset where in the message the element list begins
     */
    record Elements(String verb, SetName set, List<NftElement> elements, int from, int to, int listOffset)
            implements BatchStep {}

    /** Bytes of an attribute header. */
    int HEADER = 4;

    default String describe(NlWriter writer, int message, int offset) {
        return switch (this) {
            // A rule prints a line per expression; a message to people is one line.
            case One(String verb, Object object) ->
                verb + " " + object.toString().replace("\n ", "");
            case Elements(String verb, SetName set, var elements, int from, int to, int list) -> {
                int at = list + HEADER;
                int index = from;
                while (offset > list && index < to) {
                    int next = at + writer.attributeSpan(message + at);
                    if (offset < next) {
                        break;
                    }
                    at = next;
                    index++;
                }
                yield offset > list && index < to
                        ? verb + " element " + set + " { " + elements.get(index) + " }"
                        : verb + " " + (to - from) + " elements " + set + " { " + elements.get(from)
                                + (to - from > 1 ? ", …" : "") + " }";
            }
        };
    }
}
