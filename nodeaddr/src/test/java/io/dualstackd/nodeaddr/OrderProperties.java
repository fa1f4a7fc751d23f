package io.dualstackd.nodeaddr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What holds for every list and every wish. Few addresses, so that they meet. */
final class OrderProperties {
    private static final List<String> IPS =
            List.of("10.0.0.1", "10.0.0.2", "10.1.0.1", "192.0.2.1", "fd01::1", "fd01:0::1", "fd01::2", "2001:db8::1");
    private static final List<String> ELEMENTS =
            List.of("ipv4", "10.0.0.1", "10.1.0.0/16", "192.0.2.1", "ipv6", "fd01::1", "2001:db8::/32", "fd01::2");

    private static List<NodeAddress> provided(Draw draw) {
        return draw.list(0, 7, () -> new NodeAddress(draw.one(NodeAddress.Type.class), draw.one(IPS)));
    }

    private static NodeIps wanted(Draw draw) {
        List<NodeIp> elements =
                draw.list(1, 2, () -> NodeIps.parse(draw.one(ELEMENTS)).first());
        boolean pair = elements.size() == 2
                && elements.get(0).family() != elements.get(1).family();
        return new NodeIps(pair ? elements : elements.subList(0, 1));
    }

    private static Optional<NodeAddresses> ordered(List<NodeAddress> provided, NodeIps wanted) {
        try {
            return Optional.of(CloudAddresses.order(provided, wanted));
        } catch (NodeAddressException e) {
            return Optional.empty();
        }
    }

    private static Predicate<Ip> satisfies(NodeIp element) {
        return switch (element) {
            case NodeIp.Exact(Ip ip) -> ip::equals;
            case NodeIp.Any(IpFamily family) -> ip -> ip.family() == family;
            case NodeIp.Within(var network) -> network::contains;
            case NodeIp.OnInterface ignored -> ip -> false;
        };
    }

    @Test
    void removedAddressBelongsToAFamilyOrIsOptional() {
        Tries.of(1_000, draw -> removedAddressBelongsToAFamilyOrIsOptional(provided(draw), wanted(draw)));
    }

    private void removedAddressBelongsToAFamilyOrIsOptional(List<NodeAddress> provided, NodeIps wanted) {
        ordered(provided, wanted).ifPresent(result -> {
            List<NodeAddress> gone = new ArrayList<>(provided);
            for (NodeAddress address : result.addresses()) {
                assertThat(gone.remove(address)).as("%s is made up", address).isTrue();
            }
            assertThat(gone).hasSameSizeAs(result.passedOver());
            assertThat(gone).allSatisfy(address -> {
                IpFamily family = address.ip().orElseThrow().family();
                assertThat(wanted.element(family)
                                .filter(element -> provided.stream()
                                        .anyMatch(other -> other.ip()
                                                .filter(satisfies(element))
                                                .isPresent())))
                        .isEmpty();
                assertThat(provided.stream()
                                .filter(other -> other.ip()
                                        .filter(ip -> ip.family() == family)
                                        .isPresent()))
                        .doesNotContainAnyElementsOf(result.addresses());
            });
        });
    }

    @Test
    void againChangesNothing() {
        Tries.of(1_000, draw -> againChangesNothing(provided(draw), wanted(draw)));
    }

    private void againChangesNothing(List<NodeAddress> provided, NodeIps wanted) {
        ordered(provided, wanted)
                .ifPresent(once -> assertThat(ordered(once.addresses(), wanted))
                        .hasValueSatisfying(
                                twice -> assertThat(twice.addresses()).isEqualTo(once.addresses())));
    }

    @Test
    void nodeIpsAreThoseWanted() {
        Tries.of(1_000, draw -> nodeIpsAreThoseWanted(provided(draw), wanted(draw)));
    }

    private void nodeIpsAreThoseWanted(List<NodeAddress> provided, NodeIps wanted) {
        ordered(provided, wanted).ifPresent(result -> {
            List<Ip> nodeIps = result.nodeIps();
            List<NodeIp> found = wanted.elements().stream()
                    .filter(element -> nodeIps.stream().anyMatch(satisfies(element)))
                    .toList();
            assertThat(nodeIps).hasSameSizeAs(found);
            // The wanted order, unless it cannot be had; then that is said, and no address was named first.
            boolean asWanted = satisfies(found.getFirst()).test(nodeIps.getFirst());
            assertThat(result.warnings().isEmpty()).isEqualTo(asWanted);
            assertThat(asWanted || !wanted.first().isRequired()).isTrue();
            wanted.elements().stream()
                    .filter(NodeIp::isRequired)
                    .forEach(element -> assertThat(nodeIps).anyMatch(satisfies(element)));
        });
    }

    @Test
    void theRestKeepsItsOrder() {
        Tries.of(1_000, draw -> theRestKeepsItsOrder(provided(draw), wanted(draw)));
    }

    private void theRestKeepsItsOrder(List<NodeAddress> provided, NodeIps wanted) {
        ordered(provided, wanted).ifPresent(result -> {
            List<NodeAddress> rest = new ArrayList<>(result.addresses());
            List<NodeAddress> kept = new ArrayList<>(provided);
            kept.removeIf(address -> !rest.contains(address));
            int moved = 0;
            while (!rest.equals(kept)) {
                assertThat(moved++).as("at most two entries move").isLessThan(2);
                kept.remove(rest.removeFirst());
            }
        });
    }

    @Test
    void anErrorIsForAReason() {
        Tries.of(1_000, draw -> anErrorIsForAReason(provided(draw), wanted(draw)));
    }

    private void anErrorIsForAReason(List<NodeAddress> provided, NodeIps wanted) {
        boolean keywords = wanted.elements().stream().allMatch(element -> element instanceof NodeIp.Any);
        boolean any = provided.stream()
                .anyMatch(address ->
                        address.ip().filter(ip -> wanted.mentions(ip.family())).isPresent());
        if (keywords) {
            assertThat(ordered(provided, wanted).isPresent()).isEqualTo(any);
        } else if (!any) {
            assertThat(ordered(provided, wanted)).isEmpty();
        }
    }
}
