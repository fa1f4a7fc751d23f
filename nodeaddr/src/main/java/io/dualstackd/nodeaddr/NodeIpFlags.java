package io.dualstackd.nodeaddr;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code --node-ips} and {@code --node-ip} say together.
 *
 * @param given empty when neither says anything
 * @param legacy the deprecated flag, where it was that one
 */
public record NodeIpFlags(Optional<NodeIps> given, Optional<LegacyNodeIp> legacy) {
    /**
     * Reads whichever was given.
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

    /** What is in force: what was given, else {@link NodeIps#DEFAULT}. */
    public NodeIps wanted() {
        return given.orElse(NodeIps.DEFAULT);
    }

    /** Whole sentences for the log: that the flag is deprecated, and which of its parts were ignored. */
    public List<String> warnings() {
        return legacy.stream()
                .flatMap(flag -> Stream.concat(
                        Stream.of("--node-ip is deprecated; write --node-ips " + wanted()),
                        flag.ignored().stream()
                                .map(part -> "--node-ip: \"" + part + "\" is no address and is ignored")))
                .toList();
    }
}
