package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads addresses of objects: leading zeros of IPv4 octets are decimal, accepted with a warning, because old clusters hold such
 * objects; everything else is strict.
 */
final class AddressFields {
    private AddressFields() {}

    static Optional<Ip> ip(Field field) {
        return field.asText().flatMap(text -> read(field, text, Ip::parse, Ip::parseLenient));
    }

    /** As {@link #ip}, and the address must be one that other hosts could use. */
    static Optional<Ip> unicastIp(Field field) {
        return unicast(field, ip(field));
    }

    private static Optional<Ip> unicast(Field field, Optional<Ip> ip) {
        Optional<String> special = ip.flatMap(AddressFields::special);
        special.ifPresent(what -> field.refuse("must not be " + what + " address"));
        return special.isPresent() ? Optional.empty() : ip;
    }

    /** As {@link #unicastIp}; also one of 169.254.0.0/16, which may be a network of Services. */
    static Optional<Ip> clusterIp(Field field) {
        Optional<Ip> ip = ip(field);
        return ip.filter(known -> known.isLinkLocal() && known.family() == IpFamily.IPV4)
                        .isPresent()
                ? ip
                : unicast(field, ip);
    }

    static Optional<IpPrefix> prefix(Field field) {
        return field.asText().flatMap(text -> read(field, text.strip(), IpPrefix::parse, IpPrefix::parseLenient));
    }

    private static <T> Optional<T> read(
            Field field, String text, Function<String, T> strict, Function<String, T> lenient) {
        try {
            return Optional.of(strict.apply(text));
        } catch (IllegalArgumentException refusal) {
            if (text.indexOf(':') < 0) {
                try {
                    T value = lenient.apply(text);
                    field.warn("leading zeros are ignored, read as " + value + "; write it so");
                    return Optional.of(value);
                } catch (IllegalArgumentException alsoLenient) {
                    // the error of the strict parser is the one to report
                }
            }
            field.refuse(rule(refusal));
            return Optional.empty();
        }
    }

    /** Returns the text of the exception without the value, which the problem shows anyway. */
    private static String rule(IllegalArgumentException e) {
        String message = Objects.toString(e.getMessage(), "not an address");
        int end = message.indexOf("\" ");
        return message.startsWith("\"") && end > 0 ? message.substring(end + 2) : message;
    }

    private static Optional<String> special(Ip ip) {
        if (ip.isUnspecified()) {
            return Optional.of("the unspecified");
        } else if (ip.isLoopback()) {
            return Optional.of("a loopback");
        } else if (ip.isLinkLocal()) {
            return Optional.of("a link-local");
        } else if (ip.isMulticast()) {
            return Optional.of("a multicast");
        }
        return Optional.empty();
    }
}
