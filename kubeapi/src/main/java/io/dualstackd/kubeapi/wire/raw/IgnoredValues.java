package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads single values of one object, and records those that were dropped because they are invalid. */
public final class IgnoredValues {
    /** Leading zeros of a prefix length. */
    private static final Pattern ZEROS = Pattern.compile("/0+(?=[0-9])");

    /** An IPv4-mapped network in an old object, which is one of IPv4: if it were dropped, every source would be allowed. */
    private static final Pattern MAPPED = Pattern.compile("(::(?i:ffff):[0-9.]+)/0*(9[6-9]|1[01][0-9]|12[0-8])");

    /** The length of {@code ::ffff:0:0/96}. */
    private static final int MAPPED_LENGTH = 96;

    private final String kind;
    private final RawMetadata meta;
    private List<IgnoredValue> values = List.of();

    public IgnoredValues(String kind, RawMetadata meta) {
        this.kind = kind;
        this.meta = meta;
    }

    public List<IgnoredValue> values() {
        return values;
    }

    public void drop(String field, String value, String rule) {
        if (values.isEmpty()) {
            values = new ArrayList<>();
        }
        String object = kind + " " + (meta.namespace().isEmpty() ? meta.name() : meta.namespace() + "/" + meta.name());
        values.add(new IgnoredValue(object, field, value, rule));
    }

    /** Reads an address that other hosts can use. Leading zeros and IPv4-mapped addresses in old objects are accepted. */
    Optional<Ip> unicast(String text, String field, int index) {
        Optional<Ip> ip = ip(text, field, index);
        if (ip.isPresent() && isSpecial(ip.get())) {
            drop(path(field, index), text, "must be an address that other hosts can use");
            return Optional.empty();
        }
        return ip;
    }

    /** As {@link #unicast}; also one of 169.254.0.0/16, which may be a network of Services: on no node is it the address of a link. */
    Optional<Ip> clusterIp(String text, String field, int index) {
        Optional<Ip> ip = ip(text, field, index);
        boolean isUsable = ip.filter(
                        known -> isSpecial(known) && !(known.isLinkLocal() && known.family() == IpFamily.IPV4))
                .isEmpty();
        if (!isUsable) {
            drop(path(field, index), text, "must be an address that other hosts can use");
        }
        return isUsable ? ip : Optional.empty();
    }

    /** @param index in the list {@code field}; negative when it is not a list */
    Optional<Ip> ip(String text, String field, int index) {
        Optional<Ip> ip = ip(text);
        if (ip.isEmpty()) {
            drop(path(field, index), text, "is no IP address");
        }
        return ip;
    }

    Optional<IpPrefix> prefix(String text, String field, int index) {
        try {
            String bare = text.strip();
            if (bare.indexOf(':') < 0) {
                return Optional.of(IpPrefix.parseLenient(bare));
            }
            Matcher mapped = MAPPED.matcher(bare);
            return Optional.of(
                    mapped.matches()
                            ? new IpPrefix(
                                    Ip.parseLenient(mapped.group(1)), Integer.parseInt(mapped.group(2)) - MAPPED_LENGTH)
                            : IpPrefix.parse(ZEROS.matcher(bare).replaceFirst("/")));
        } catch (IllegalArgumentException e) {
            drop(path(field, index), text, "is no IP network");
            return Optional.empty();
        }
    }

    List<Ip> unicasts(List<String> texts, String field) {
        if (texts.isEmpty()) {
            return List.of();
        }
        List<Ip> ips = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            unicast(texts.get(i), field, i).ifPresent(ips::add);
        }
        return ips;
    }

    List<IpPrefix> prefixes(List<String> texts, String field) {
        if (texts.isEmpty()) {
            return List.of();
        }
        List<IpPrefix> prefixes = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            prefix(texts.get(i), field, i).ifPresent(prefixes::add);
        }
        return prefixes;
    }

    /** Returns the constant with this text; {@code otherwise} when the text is empty or unknown. */
    <E extends Enum<E>> E word(String text, E[] all, E otherwise, String field) {
        if (text.isEmpty()) {
            return otherwise;
        }
        for (E constant : all) {
            if (constant.toString().equals(text)) {
                return constant;
            }
        }
        drop(field, text, "is no word we know, read as " + otherwise);
        return otherwise;
    }

    static Optional<Ip> ip(String text) {
        try {
            return Optional.of(Ip.parseLenient(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static boolean isSpecial(Ip ip) {
        return ip.isUnspecified() || ip.isLoopback() || ip.isLinkLocal() || ip.isMulticast();
    }

    static String path(String field, int index) {
        return index < 0 ? field : field + "[" + index + "]";
    }
}
