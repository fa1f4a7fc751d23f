package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.netlink.ip.IpPort;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The names of chains. Those of one Service end in a hash, because the kernel takes 28 bytes and Kubernetes names are longer;
 * the text that is hashed is kube-proxy's, so both name the same chain alike.
 */
public final class ChainNames {
    public static final String SERVICES = "KUBE-SERVICES";
    public static final String EXTERNAL_SERVICES = "KUBE-EXTERNAL-SERVICES";
    public static final String NODE_PORTS = "KUBE-NODEPORTS";
    public static final String POSTROUTING = "KUBE-POSTROUTING";
    public static final String MARK_MASQ = "KUBE-MARK-MASQ";
    public static final String FORWARD = "KUBE-FORWARD";
    public static final String PROXY_FIREWALL = "KUBE-PROXY-FIREWALL";

    /** Loopback guard; kubelet writes it, too, so it is never ours to delete. */
    public static final String FIREWALL = "KUBE-FIREWALL";

    /** An empty chain in every table: when it is gone, somebody flushed. */
    public static final String CANARY = "KUBE-PROXY-CANARY";

    /** The beginnings of the names of chains that belong to one Service. */
    public static final List<String> SERVICE_PREFIXES =
            List.of("KUBE-SVC-", "KUBE-SVL-", "KUBE-EXT-", "KUBE-FW-", "KUBE-SEP-");

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int SUFFIX_LENGTH = 16;
    private static final MessageDigest SHA_256 = findSha256();

    private ChainNames() {}

    /** The chains of one service port; they share one suffix. */
    public record OfPort(String cluster, String local, String external, String firewall) {}

    public static OfPort of(ServicePortName port) {
        String suffix = suffix(port.toString() + port.protocol());
        return new OfPort("KUBE-SVC-" + suffix, "KUBE-SVL-" + suffix, "KUBE-EXT-" + suffix, "KUBE-FW-" + suffix);
    }

    /** The chain of one endpoint of one service port; it is also the name of its affinity list. */
    public static String endpoint(ServicePortName port, IpPort endpoint) {
        return "KUBE-SEP-" + suffix(port.toString() + port.protocol() + endpoint);
    }

    /** The first 16 characters of base 32 (RFC 4648) of the SHA-256 of {@code text}. */
    static String suffix(String text) {
        byte[] digest = newSha256().digest(text.getBytes(StandardCharsets.UTF_8));
        StringBuilder out = new StringBuilder(SUFFIX_LENGTH);
        long bits = 0;
        int held = 0;
        for (int at = 0; out.length() < SUFFIX_LENGTH; at++) {
            bits = bits << 8 | (digest[at] & 0xff);
            held += 8;
            while (held >= 5) {
                held -= 5;
                out.append(BASE32.charAt((int) (bits >>> held) & 31));
            }
        }
        return out.toString();
    }

    /** Copied for each use: looking the algorithm up costs more than a hash. */
    private static MessageDigest newSha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the platform's own SHA-256 can be copied", e);
        }
    }

    private static MessageDigest findSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
