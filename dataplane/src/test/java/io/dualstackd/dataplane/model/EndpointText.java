package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Endpoints in shorthand: {@code "10.0.0.3 Zab N1 l, 10.0.0.4 T"}.
 *
 * <p>The address comes first. {@code Z} and the letters of zones it should serve; {@code N} and the digits of nodes it should serve
 * ({@code N1} hints {@code node-1}); {@code r} ready (also when nothing is said), {@code u} not ready, {@code T} terminating and
 * still serving, {@code X} terminating and not serving any more; {@code l} on this node.
 */
public final class EndpointText {
    private EndpointText() {}

    /** The endpoints in {@code text}, all on {@code port}; {@code "–"} is none. */
    public static List<Endpoint> parse(String text, int port) {
        return parse(text, "", port);
    }

    /** As {@link #parse(String, int)}, where {@code .3} is short for {@code prefix} and {@code .3}. */
    public static List<Endpoint> parse(String text, String prefix, int port) {
        if (text.isBlank() || text.strip().equals("–")) {
            return List.of();
        }
        return Stream.of(text.split(","))
                .map(one -> endpoint(one.strip().split(" +"), prefix, port))
                .toList();
    }

    private static Endpoint endpoint(String[] words, String prefix, int port) {
        Set<String> zones = new HashSet<>();
        Set<String> nodes = new HashSet<>();
        char state = 'r';
        boolean local = false;
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            switch (word.charAt(0)) {
                case 'Z' -> word.substring(1).chars().forEach(letter -> zones.add(Character.toString(letter)));
                case 'N' -> word.substring(1).chars().forEach(digit -> nodes.add("node-" + Character.toString(digit)));
                case 'r', 'u', 'T', 'X' -> state = word.charAt(0);
                case 'l' -> local = true;
                default -> throw new IllegalArgumentException("unknown word \"" + word + "\"");
            }
        }
        String address = words[0].startsWith(".") ? prefix + words[0] : words[0];
        return new Endpoint(
                new IpPort(Ip.parse(address), port),
                state == 'r',
                state == 'r' || state == 'T',
                state == 'T' || state == 'X',
                local,
                zones,
                nodes);
    }
}
