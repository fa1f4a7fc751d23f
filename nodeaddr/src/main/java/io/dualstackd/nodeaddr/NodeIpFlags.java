package io.dualstackd.nodeaddr;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The combined setting of {@code --node-ips} and {@code --node-ip}.
 *
 * @param given empty when neither is set
 * @param legacy the deprecated flag, if that one was set
 */
public record NodeIpFlags(Optional<NodeIps> given, Optional<LegacyNodeIp> legacy) {
    /**
     * Reads the flag that was given.
     *
     * @param cloudProvider as for {@link LegacyNodeIp#parse}
     * @throws IllegalArgumentException when both are given, or naming the value and the broken rule
     */
    public static NodeIpFlags read(Optional<String> nodeIps, Optional<String> nodeIp, String cloudProvider) {
        if (nodeIps.isPresent() && nodeIp.isPresent()) {
            throw new IllegalArgumentException("--node-ips \"" + nodeIps.get() + "\" and --node-ip \"" + nodeIp.get()
                    + "\" are both given: --node-ip is deprecated, leave it out");
        }
        Optional<LegacyNodeIp> legacy = nodeIp.map(text -> LegacyNodeIp.parse(text, cloudProvider));
        return new NodeIpFlags(nodeIps.map(NodeIps::parse).or(() -> legacy.flatMap(LegacyNodeIp::nodeIps)), legacy);
    }

    /** The effective value: the given one, else {@link NodeIps#DEFAULT}. */
    public NodeIps wanted() {
        return given.orElse(NodeIps.DEFAULT);
    }

    /** Whole sentences for the log: that the flag is deprecated, and which of its parts were ignored. */
    public List<String> warnings() {
        return legacy.stream()
                .flatMap(flag -> Stream.concat(
                        Stream.of("--node-ip is deprecated; write --node-ips " + wanted()),
                        flag.ignored().stream()
                                .map(part -> "--node-ip: \"" + part + "\" is not an address and is ignored")))
                .toList();
    }
}
