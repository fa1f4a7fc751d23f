package io.dualstackd.agent.config;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.List;

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
    public ServiceApiSettings {
        clusterIpRanges = List.copyOf(clusterIpRanges);
    }

    /** The families Services may have, the default one first. */
    public List<IpFamily> families() {
        return clusterIpRanges.stream().map(IpPrefix::family).toList();
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
