package io.dualstackd.nodeaddr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.nodeaddr.Host.Flag;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds for every host. */
final class DetectionProperties {
    private static final Set<Flag> NEVER = Set.of(Flag.TENTATIVE, Flag.DAD_FAILED, Flag.DEPRECATED, Flag.TEMPORARY);

    private static final List<String> IPS = List.of(
            "10.0.0.1",
            "10.0.0.2",
            "192.0.2.1",
            "127.0.0.1",
            "169.254.0.1",
            "fd01::1",
            "fd01::2",
            "2001:db8::1",
            "fe80::1",
            "::1");

    private static Host host(Draw draw) {
        return new Host(
                numbered(draw.list(1, 4, () -> new Host.Link(1, "x", draw.bool(), draw.bool(), draw.bool()))),
                draw.list(0, 8, () -> address(draw)),
                draw.list(
                        0,
                        3,
                        () -> new Host.DefaultRoute(
                                draw.one(IpFamily.class),
                                draw.between(1, 4),
                                Optional.empty(),
                                Optional.empty(),
                                draw.one(0L, 100L, 4294967295L))));
    }

    private static Host.Address address(Draw draw) {
        Ip ip = Ip.parse(draw.one(IPS));
        return new Host.Address(
                draw.between(1, 4),
                ip,
                draw.bool() ? ip.family().bits() : 24,
                draw.one(0, 0, 0, 253),
                draw.set(2, () -> draw.one(Flag.class)));
    }

    private static List<Host.Link> numbered(List<Host.Link> links) {
        List<Host.Link> numbered = new ArrayList<>();
        for (Host.Link link : links) {
            int index = numbered.size() + 1;
            numbered.add(new Host.Link(index, "eth" + index, link.up(), link.loopback(), link.pointToPoint()));
        }
        return numbered;
    }

    private static NodeIps wanted(Draw draw) {
        return NodeIps.parse(draw.one(
                "ipv4,ipv6",
                "ipv6,ipv4",
                "ipv4",
                "ipv6",
                "10.0.0.0/8",
                "fd00::/8,ipv4",
                "interface:eth1",
                "interface:eth2/ipv6,ipv4"));
    }

    private static Optional<NodeAddresses> detected(Host host, NodeIps wanted) {
        try {
            return Optional.of(Detection.detect(host, HostNames.of("n"), wanted));
        } catch (NodeAddressException e) {
            return Optional.empty();
        }
    }

    @Test
    void onlyUsableAddressesOfThisHostAreChosen() {
        Tries.of(1_000, draw -> onlyUsableAddressesOfThisHostAreChosen(host(draw), wanted(draw)));
    }

    private void onlyUsableAddressesOfThisHostAreChosen(Host host, NodeIps wanted) {
        detected(host, wanted)
                .ifPresent(found -> assertThat(found.nodeIps())
                        .isNotEmpty()
                        .hasSizeLessThanOrEqualTo(wanted.elements().size())
                        .allSatisfy(ip -> assertThat(host.addresses()).anySatisfy(address -> {
                            assertThat(address.ip()).isEqualTo(ip);
                            assertThat(address.flags()).doesNotContainAnyElementsOf(NEVER);
                            assertThat(address.scope()).isZero();
                            assertThat(host.link(address.link()).filter(Host.Link::up))
                                    .isPresent();
                            assertThat(ip.isLoopback() || ip.isLinkLocal()).isFalse();
                        })));
    }

    @Test
    void theFamiliesDoNotInfluenceEachOther() {
        Tries.of(1_000, draw -> theFamiliesDoNotInfluenceEachOther(host(draw)));
    }

    private void theFamiliesDoNotInfluenceEachOther(Host host) {
        Optional<NodeAddresses> both = detected(host, NodeIps.DEFAULT);
        for (IpFamily family : IpFamily.values()) {
            Optional<Ip> alone =
                    detected(host, NodeIps.of(new NodeIp.Any(family))).flatMap(NodeAddresses::primary);
            assertThat(both.flatMap(found -> found.ip(family))).isEqualTo(alone);
        }
    }

    @Test
    void anAddressThatIsAddedTakesNothingOver() {
        Tries.of(1_000, draw -> anAddressThatIsAddedTakesNothingOver(host(draw)));
    }

    private void anAddressThatIsAddedTakesNothingOver(Host host) {
        detected(host, NodeIps.DEFAULT)
                .ifPresent(before -> before.nodeIps().forEach(ip -> {
                    Host.Address old = host.addresses().stream()
                            .filter(address -> address.ip().equals(ip))
                            .findFirst()
                            .orElseThrow();
                    Host.Address added = new Host.Address(
                            old.link(),
                            Ip.parse(ip.family() == IpFamily.IPV4 ? "10.0.0.77" : "fd00::77"),
                            old.prefixLength(),
                            0,
                            old.flags());
                    List<Host.Address> addresses = new ArrayList<>(host.addresses());
                    // As the kernel does it.
                    addresses.add(ip.family() == IpFamily.IPV4 ? addresses.size() : 0, added);
                    Host after = new Host(host.links(), addresses, host.defaultRoutes());
                    assertThat(detected(after, NodeIps.of(new NodeIp.Any(ip.family())))
                                    .flatMap(NodeAddresses::primary))
                            .as("beside %s", ip)
                            .satisfiesAnyOf(
                                    now -> assertThat(now).contains(ip),
                                    // The same address on a second interface, a better one: its own old place does not
                                    // matter.
                                    now -> assertThat(host.addresses().stream()
                                                    .filter(address ->
                                                            address.ip().equals(ip)))
                                            .hasSizeGreaterThan(1));
                }));
    }

    @Test
    void everyCandidateIsExplainedOnce() {
        Tries.of(1_000, draw -> everyCandidateIsExplainedOnce(host(draw), wanted(draw)));
    }

    private void everyCandidateIsExplainedOnce(Host host, NodeIps wanted) {
        detected(host, wanted).ifPresent(found -> {
            assertThat(found.passedOver()).extracting(PassedOver::candidate).doesNotHaveDuplicates();
            List<Ip> addresses = new ArrayList<>(found.nodeIps());
            for (PassedOver each : found.passedOver()) {
                if (!each.candidate().startsWith("interface ")) {
                    addresses.add(Ip.parse(each.candidate().replaceFirst(" .*", "")));
                }
            }
            assertThat(host.addresses())
                    .allSatisfy(address -> assertThat(
                                    AddressRules.brokenBy(address.ip()).isPresent() || addresses.contains(address.ip()))
                            .as("%s", address)
                            .isTrue());
        });
    }
}
