package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Reads {@code --node-ips}. */
final class NodeIpText {
    static final String INTERFACE = "interface:";

    /** The longest interface name in bytes, without the terminating zero: {@code IFNAMSIZ} of {@code linux/if.h}. */
    private static final int MAX_INTERFACE = 15;

    private static final String FORMS =
            "an element is an address, ipv4, ipv6, interface:NAME or a network like 10.0.0.0/8";

    private NodeIpText() {}

    /** An element as written: the family of an interface is optional. */
    private sealed interface Part {
        record Whole(NodeIp element) implements Part {}

        record Interface(String name) implements Part {}
    }

    static NodeIps parse(String text) {
        List<Part> parts = Arrays.stream(text.split(",", -1))
                .map(part -> part(part.strip(), text))
                .toList();
        if (parts.size() > 2) {
            throw bad(text, "at most two elements, one of each IP family");
        }
        List<NodeIp> elements = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i)) {
                case Part.Whole(NodeIp element) -> elements.add(element);
                case Part.Interface(String name) -> elements.addAll(families(name, parts, i));
            }
        }
        if (elements.size() == 2 && elements.get(0).family() == elements.get(1).family()) {
            throw bad(
                    text,
                    "two elements must be of different IP families, these are both "
                            + elements.getFirst().family());
        }
        return new NodeIps(elements);
    }

    /** An interface alone stands for both families; beside another element for the remaining family, IPv4 before IPv6. */
    private static List<NodeIp> families(String name, List<Part> parts, int place) {
        if (parts.size() == 1) {
            return List.of(new NodeIp.OnInterface(name, IpFamily.IPV4), new NodeIp.OnInterface(name, IpFamily.IPV6));
        }
        IpFamily family = switch (parts.get(1 - place)) {
            case Part.Whole(NodeIp other) -> other.family().other();
            case Part.Interface ignored -> place == 0 ? IpFamily.IPV4 : IpFamily.IPV6;
        };
        return List.of(new NodeIp.OnInterface(name, family));
    }

    private static Part part(String word, String whole) {
        if (word.isEmpty()) {
            throw bad(whole, whole.isBlank() ? "it is empty; " + FORMS : "an element is empty");
        }
        if (word.startsWith(INTERFACE)) {
            return onInterface(word.substring(INTERFACE.length()), word, whole);
        }
        return new Part.Whole(family(word)
                .<NodeIp>map(NodeIp.Any::new)
                .orElseGet(() -> word.indexOf('/') >= 0 ? within(word, whole) : exact(word, whole)));
    }

    private static Optional<IpFamily> family(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "ipv4" -> Optional.of(IpFamily.IPV4);
            case "ipv6" -> Optional.of(IpFamily.IPV6);
            default -> Optional.empty();
        };
    }

    private static Part onInterface(String rest, String word, String whole) {
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        if (name.isEmpty()
                || name.getBytes(StandardCharsets.UTF_8).length > MAX_INTERFACE
                || name.chars().anyMatch(Character::isWhitespace)) {
            throw bad(
                    whole,
                    "\"" + name + "\" is not an interface name: 1 to " + MAX_INTERFACE + " bytes without blanks");
        }
        if (slash < 0) {
            return new Part.Interface(name);
        }
        return new Part.Whole(new NodeIp.OnInterface(
                name,
                family(rest.substring(slash + 1))
                        .orElseThrow(() -> bad(
                                whole, "behind the interface in \"" + word + "\" only /ipv4 or /ipv6 may follow"))));
    }

    private static NodeIp within(String word, String whole) {
        IpPrefix network;
        try {
            network = IpPrefix.parse(word);
        } catch (IllegalArgumentException e) {
            throw bad(whole, Objects.toString(e.getMessage(), FORMS));
        }
        Ip written = Ip.parse(word.substring(0, word.indexOf('/')));
        if (!written.equals(network.address())) {
            throw bad(
                    whole,
                    "\"" + word + "\" has bits beyond its prefix length: the network is " + network
                            + ", the address is " + written);
        }
        return new NodeIp.Within(network);
    }

    private static NodeIp exact(String word, String whole) {
        Ip ip;
        try {
            ip = Ip.parse(word);
        } catch (IllegalArgumentException e) {
            boolean looksLikeAddress = word.indexOf(':') >= 0 || word.indexOf('.') >= 0;
            throw bad(whole, looksLikeAddress ? Objects.toString(e.getMessage(), FORMS) : FORMS);
        }
        if (ip.isUnspecified()) {
            throw bad(
                    whole,
                    ip + " is not an address of a host; write " + new NodeIp.Any(ip.family())
                            + " for any address of the family");
        }
        AddressRules.brokenBy(ip).ifPresent(rule -> {
            throw bad(whole, rule);
        });
        return new NodeIp.Exact(ip);
    }

    private static BadNodeIpsException bad(String text, String rule) {
        return new BadNodeIpsException("node IPs", text, rule);
    }
}
