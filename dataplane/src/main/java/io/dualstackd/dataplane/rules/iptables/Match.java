package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

/** A condition of a rule, named as in iptables-extensions(8). */
public sealed interface Match {

    /** {@code -s PREFIX}. */
    record Source(IpPrefix prefix, boolean negated) implements Match {}

    /** {@code -d PREFIX}. */
    record Destination(IpPrefix prefix, boolean negated) implements Match {}

    /** {@code -p PROTO}. */
    record Protocol(Proto proto) implements Match {}

    /** {@code -i NAME}, or {@code -i NAME+} when {@code prefix}. */
    record InInterface(String name, boolean prefix, boolean negated) implements Match {}

    /** {@code -m PROTO --dport PORT}; the rule also holds a {@link Protocol} of the same protocol. */
    record DestinationPort(Proto proto, int port) implements Match {}

    /**
     * {@code -m PROTO} without a port condition: true for every packet of the protocol, kept because it shows in listings; the
     * rule also holds a {@link Protocol} of the same protocol.
     */
    record AnyPort(Proto proto) implements Match {}

    /**
     * {@code -m comment --comment TEXT}.
     *
     * @param text at most 255 bytes of UTF-8 without NUL: the kernel's structure holds 256 with the final NUL
     */
    record Comment(String text) implements Match {
        public static final int MAX_BYTES = 255;

        public Comment {
            if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES || text.indexOf(0) >= 0) {
                throw new IllegalArgumentException("a comment holds at most 255 bytes and no NUL: " + text);
            }
        }

        /** Returns the text, cut between two characters where it is too long. */
        public static Comment of(String text) {
            int bytes = 0;
            int end = 0;
            while (end < text.length()) {
                int character = text.codePointAt(end);
                bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
                if (bytes > MAX_BYTES) {
                    break;
                }
                end += Character.charCount(character);
            }
            return new Comment(text.substring(0, end));
        }
    }

    /** {@code -m addrtype --src-type LOCAL}. */
    record SourceIsLocal(boolean negated) implements Match {}

    /** {@code -m addrtype --dst-type LOCAL}. */
    record DestinationIsLocal(boolean negated) implements Match {}

    /** {@code -m conntrack [!] --ctstate STATES}. */
    record CtState(Set<State> states, boolean negated) implements Match {
        public enum State {
            INVALID,
            NEW,
            RELATED,
            ESTABLISHED,
            DNAT
        }

        public CtState {
            states = Set.copyOf(states.isEmpty() ? states : EnumSet.copyOf(states));
        }
    }

    /** {@code -m mark [!] --mark VALUE/MASK}. */
    record Mark(int value, int mask, boolean negated) implements Match {}

    /**
     * {@code -m statistic --mode random --probability P}.
     *
     * @param threshold the kernel's own number: matches when a random 31-bit number is below it, see {@link Probability}
     */
    record Random(int threshold) implements Match {}

    /** {@code -m recent --rcheck --seconds S --reap --name NAME}: the source was put on the list within the last S seconds. */
    record SeenWithin(String list, int seconds) implements Match {}

    /** {@code -m nfacct --nfacct-name OBJECT}: counts the packet at that object; always matches. */
    record CountAt(String object) implements Match {}

    /** {@code -m recent --set --name NAME}: puts the source on the list; always matches. */
    record Remember(String list) implements Match {}
}
