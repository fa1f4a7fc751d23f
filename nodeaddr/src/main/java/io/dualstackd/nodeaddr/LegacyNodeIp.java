package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code --node-ip}, kubelet's flag that KEP-1664 deprecates, and the annotation kubelet writes from it for an external cloud provider.
 *
 * @param ips none, one, or two of different families, the primary one first; a single one may be unspecified
 * @param ignored parts that are not addresses; kubelet logs and ignores them
 */
public record LegacyNodeIp(List<Ip> ips, List<String> ignored) {
    /** Written by kubelet on its Node, read by cloud providers. */
    public static final String ANNOTATION = "alpha.kubernetes.io/provided-node-ip";

    public LegacyNodeIp {
        ips = List.copyOf(ips);
        ignored = List.copyOf(ignored);
    }

    /**
     * Reads the flag, leniently: blanks are trimmed, octets may have leading zeros, parts that are not addresses are ignored.
     *
     * @param cloudProvider kubelet's {@code --cloud-provider}; with any but {@code external} or none, only one address is accepted
     * @throws BadNodeIpsException naming the value and the broken rule
     */
    public static LegacyNodeIp parse(String text, String cloudProvider) {
        List<Ip> ips = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String part : text.split(",", -1)) {
                LenientIp.read(part.strip()).ifPresentOrElse(ips::add, () -> ignored.add(part.strip()));
            }
        }
        boolean single = !cloudProvider.isEmpty() && !cloudProvider.equals("external");
        brokenBy(ips, single).ifPresent(rule -> {
            throw new BadNodeIpsException("bad --node-ip", text, rule);
        });
        return new LegacyNodeIp(ips, ignored);
    }

    /**
     * Reads the annotation, strictly, except that octets may have leading zeros.
     *
     * @throws BadNodeIpsException naming the value and the broken rule
     */
    public static LegacyNodeIp parseAnnotation(String text) {
        List<Ip> ips = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            ips.add(LenientIp.read(part)
                    .orElseThrow(() -> bad(text, "could not parse \"" + part + "\" as an address")));
        }
        brokenBy(ips, false).ifPresent(rule -> {
            throw bad(text, rule);
        });
        return new LegacyNodeIp(ips, List.of());
    }

    private static BadNodeIpsException bad(String text, String rule) {
        return new BadNodeIpsException("annotation " + ANNOTATION, text, rule);
    }

    private static Optional<String> brokenBy(List<Ip> ips, boolean single) {
        long families = ips.stream().map(Ip::family).distinct().count();
        if (ips.size() > families) {
            return Optional.of("must contain either a single IP or a dual-stack pair of IPs");
        }
        if (ips.size() == 2 && single) {
            return Optional.of("dual-stack not supported in this configuration");
        }
        if (ips.size() == 2 && ips.stream().anyMatch(Ip::isUnspecified)) {
            return Optional.of("dual-stack node IP cannot include '0.0.0.0' or '::'");
        }
        return Optional.empty();
    }

    /** The equivalent value of {@code --node-ips}; empty when the flag has no effect. */
    public Optional<NodeIps> nodeIps() {
        return ips.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new NodeIps(ips.stream().map(LegacyNodeIp::element).toList()));
    }

    private static NodeIp element(Ip ip) {
        return ip.isUnspecified() ? new NodeIp.Any(ip.family()) : new NodeIp.Exact(ip);
    }

    /** The annotation for these node IPs; empty unless all are addresses: older providers accept nothing else. */
    public static Optional<String> annotation(NodeIps wanted) {
        return wanted.elements().stream().allMatch(NodeIp::isRequired)
                ? Optional.of(wanted.elements().stream().map(NodeIp::toString).collect(Collectors.joining(",")))
                : Optional.empty();
    }
}
