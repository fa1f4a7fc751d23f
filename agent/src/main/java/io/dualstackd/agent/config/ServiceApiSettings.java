package io.dualstackd.agent.config;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The allocation of addresses and node ports to Services where there is no control plane.
 *
 * @param clusterIpRanges the networks for cluster IPs: one, or one of each IP family; that of the default family first
 * @param nodePorts the range of node ports
 * @param semantics whose rules apply where they differ
 * @param keepsKubernetesIp whether the first address of each network is kept for Service {@code default/kubernetes}
 * @param cidrGrace how long a deleted ServiceCIDR stays at least
 */
public record ServiceApiSettings(
        List<IpPrefix> clusterIpRanges,
        Ports nodePorts,
        Semantics semantics,
        boolean keepsKubernetesIp,
        Duration cidrGrace) {
    /** The shortest IPv6 prefix; the addresses of a larger network cannot be numbered with 64 bits. */
    private static final int SHORTEST_IPV6 = 64;

    /** The fewest host bits of a network; the API server, too, rejects networks of fewer than eight addresses. */
    private static final int HOST_BITS = 3;

    public ServiceApiSettings {
        clusterIpRanges = List.copyOf(clusterIpRanges);
    }

    /** The families Services may have, the default one first. */
    public List<IpFamily> families() {
        return clusterIpRanges.stream().map(IpPrefix::family).toList();
    }

    /** The rule that networks for cluster IPs break; empty when they can be used. */
    public static Optional<String> wrong(List<IpPrefix> ranges) {
        if (ranges.size() > 2) {
            return Optional.of("must be one network or two, not " + ranges.size());
        }
        if (ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
            return Optional.of("two networks must be of different IP families, and both are "
                    + ranges.get(0).family());
        }
        for (IpPrefix range : ranges) {
            if (range.family() == IpFamily.IPV6 && range.length() < SHORTEST_IPV6) {
                return Optional.of(range + " is too large: an IPv6 network must be /" + SHORTEST_IPV6 + " or smaller");
            }
            if (range.length() > range.family().bits() - HOST_BITS) {
                return Optional.of(range + " is too small: it must have at least 8 addresses");
            }
        }
        return Optional.empty();
    }

    /**
     * A range of port numbers.
     *
     * @param first 1 to 65535
     * @param last not below {@code first}, at most 65535
     */
    public record Ports(int first, int last) {
        private static final int MAX = 65_535;

        public Ports {
            if (first < 1 || last > MAX || last < first) {
                throw new IllegalArgumentException("must be within 1-" + MAX + ", the lower number first");
            }
        }

        /**
         * Reads {@code 30000-32767}, {@code 30000+2767} or a single port.
         *
         * @throws IllegalArgumentException with the rule
         */
        static Ports parse(String text) {
            int sign = Math.max(text.indexOf('-'), text.indexOf('+'));
            int first = number(sign < 0 ? text : text.substring(0, sign));
            if (sign < 0) {
                return new Ports(first, first);
            }
            int second = number(text.substring(sign + 1));
            return new Ports(first, text.charAt(sign) == '+' ? first + second : second);
        }

        private static int number(String text) {
            String digits = text.strip();
            if (!digits.matches("\\d{1,5}")) {
                throw new IllegalArgumentException("must be like 30000-32767");
            }
            return Integer.parseInt(digits);
        }

        @Override
        public String toString() {
            return first + "-" + last;
        }
    }
}
