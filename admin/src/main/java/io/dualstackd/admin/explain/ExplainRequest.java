package io.dualstackd.admin.explain;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The packet to explain.
 *
 * @param port destination port, 1 to 65535
 * @param in the interface it arrives on, where that matters; empty for no particular one
 */
public record ExplainRequest(Ip source, Ip destination, int port, Proto protocol, Optional<String> in) {
    private static final Set<Proto> PROTOCOLS = Set.of(Proto.TCP, Proto.UDP, Proto.SCTP);

    /**
     * Parses the arguments of the command line.
     *
     * @param source an address
     * @param destination {@code ADDRESS:PORT} or {@code [ADDRESS]:PORT}, followed by {@code /udp} or {@code /sctp} if it is not TCP
     * @param in name of an interface, or empty
     * @throws IllegalArgumentException with a sentence that names the value and the rule
     */
    public static ExplainRequest parse(String source, String destination, String in) {
        Ip from = ip(source, "the source");
        int slash = destination.indexOf('/');
        if (slash >= 0 && destination.indexOf(':') < 0) {
            throw noPort(destination);
        }
        Proto protocol = slash < 0 ? Proto.TCP : protocol(destination.substring(slash + 1));
        String where = slash < 0 ? destination : destination.substring(0, slash);
        int colon = where.lastIndexOf(':');
        if (colon <= 0) {
            throw noPort(destination);
        }
        String address = where.substring(0, colon);
        boolean bracketed = address.startsWith("[") && address.endsWith("]");
        if (address.contains(":") && !bracketed) {
            throw new IllegalArgumentException("\"" + destination
                    + "\": an IPv6 address needs brackets before a port: "
                    + (isAddress(address) ? "[" + address + "]:" + where.substring(colon + 1) : "[ADDRESS]:PORT"));
        }
        Ip to = ip(bracketed ? address.substring(1, address.length() - 1) : address, "the destination");
        if (from.family() != to.family()) {
            throw new IllegalArgumentException(from + " and " + to + " are of different IP families");
        }
        return new ExplainRequest(
                from,
                to,
                port(where.substring(colon + 1)),
                protocol,
                Optional.of(in).filter(name -> !name.isEmpty()));
    }

    private static IllegalArgumentException noPort(String destination) {
        return new IllegalArgumentException(
                "\"" + destination + "\": the destination must be ADDRESS:PORT or [ADDRESS]:PORT");
    }

    /** The inverse of {@link #words}. */
    public static ExplainRequest of(List<String> words) {
        return parse(words.get(0), words.get(1), words.size() > 2 ? words.get(2) : "");
    }

    /** The request as words without blanks. */
    public List<String> words() {
        String to = (destination.toString().contains(":") ? "[" + destination + "]" : destination.toString()) + ":"
                + port + "/" + protocol.toString().toLowerCase(java.util.Locale.ROOT);
        return in.map(name -> List.of(source.toString(), to, name)).orElseGet(() -> List.of(source.toString(), to));
    }

    private static boolean isAddress(String text) {
        try {
            return Ip.parse(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Ip ip(String text, String what) {
        try {
            return Ip.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\": " + what + " must be an IP address", e);
        }
    }

    private static Proto protocol(String text) {
        return PROTOCOLS.stream()
                .filter(known -> known.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("\"" + text + "\": the protocol must be tcp, udp or sctp"));
    }

    private static int port(String text) {
        if (text.matches("\\d{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= 65535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("\"" + text + "\": the port must be 1 to 65535");
    }
}
