package io.dualstackd.explain.io;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.dataplane.rules.nftables.ElementWords;
import io.dualstackd.dataplane.rules.nftables.RuleEvidence;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.trace.TraceFilter;
import io.dualstackd.explain.trace.WayReader;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftHook;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks up what trace messages name. Rules and elements are queried one by one, once per packet, so that the cost does not depend on the
 * number of Services, and a rule that is replaced during a trace is not taken for its predecessor.
 */
final class KernelNames implements WayReader.Names, AutoCloseable {
    private final NftClient kernel;
    private final NetNs ns;
    private final TraceFilter filter;
    private final Set<Ip> nodeAddresses;
    private final Map<ChainName, Optional<NftHook>> hooks = new HashMap<>();
    private final Map<Integer, String> devices = new HashMap<>();

    /** @param nodeAddresses the node's own addresses of the family */
    KernelNames(NftClient kernel, NetNs ns, TraceFilter filter, Set<Ip> nodeAddresses) {
        this.kernel = kernel;
        this.ns = ns;
        this.filter = filter;
        this.nodeAddresses = Set.copyOf(nodeAddresses);
    }

    /** Reads all chains that see packets of the family. */
    void readChains() throws NetlinkException {
        IpFamily family = filter.destination().family();
        hooks.clear();
        for (NftFamily sees : List.of(NftFamily.of(family), NftFamily.INET)) {
            for (NftChain chain : kernel.chains(sees)) {
                hooks.put(chain.name(), chain.hook());
            }
        }
    }

    @Override
    public Optional<NftHook> hook(ChainName chain) {
        return hooks.computeIfAbsent(chain, missing -> {
            try {
                return kernel.chain(missing).flatMap(NftChain::hook);
            } catch (NetlinkException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public boolean hasNat(int hook) {
        return hooks.values().stream()
                .flatMap(Optional::stream)
                .anyMatch(one -> one.number() == hook && one.type().equals("nat"));
    }

    @Override
    public Optional<NftRule> rule(ChainName chain, long handle) {
        try {
            return kernel.rule(chain, handle);
        } catch (NetlinkException e) {
            return Optional.empty();
        }
    }

    @Override
    public String device(int index) {
        if (!devices.containsKey(index)) {
            try (RouteClient routes = RouteClient.open(ns)) {
                for (Link link : routes.links()) {
                    devices.put(link.index(), link.name());
                }
            } catch (NetlinkException e) {
                // Its number is shown.
            }
        }
        return devices.computeIfAbsent(index, missing -> "interface " + missing);
    }

    @Override
    public List<Evidence> met(NftRule rule, WayReader.Present packet, Verdict verdict, Optional<IpPort> after) {
        IpFamily family = filter.destination().family();
        if (!rule.chain().table().equals(TableSets.name(family))) {
            return List.of();
        }
        ElementWords text = new ElementWords(family);
        Packet arrived = new Packet(
                filter.source(),
                packet.in().isEmpty() ? new Packet.Origin.ThisNode() : new Packet.Origin.Interface(packet.in()),
                filter.destination(),
                filter.protocol(),
                filter.port());
        try {
            return new RuleEvidence(
                            TableVerifier.setsOf(kernel, family),
                            nodeAddresses,
                            (chain, set, element) -> text.of(set, element)
                                    .map(words -> new Trail.Step("chain " + chain + ", " + set, words)))
                            .of(
                                    rule.chain().name(),
                                    rule.expressions(),
                                    new RuleEvidence.Entering(
                                            arrived, packet.now().destination(), packet.mark()),
                                    verdict,
                                    after)
                            .stream()
                            .map(step -> new Evidence(step.place(), step.object()))
                            .toList();
        } catch (NetlinkException | TableVerifier.Unanswered | IllegalStateException e) {
            // Changed since the packet passed, or not of our layout: the rule is shown without elements.
            return List.of();
        }
    }

    @Override
    public void close() {
        kernel.close();
    }
}
