package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Spread;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a table is to hold, put together from nothing: what every sequence of changes has to end in, up to the order of a
 * destination's endpoints.
 *
 * @param elements by the name of the set, then by key
 */
public record WholeTable(
        IpFamily family,
        Map<String, NftSet> sets,
        Map<String, Map<Bytes, NftElement>> elements,
        List<ChainRules> chains) {

    public static WholeTable of(NodeView node, Collection<ServiceView> services) {
        ServicePlanner planner = new ServicePlanner(node);
        return of(NodePlanner.plan(node), services.stream().map(planner::plan).toList());
    }

    public static WholeTable of(NodePlan node, Collection<ServicePlan> services) {
        return new Maker(node.family()).table(node, services);
    }

    public TableName name() {
        return TableSets.name(family);
    }

    /** Makes the table and everything in it. */
    public NftBatch firstLoad() {
        NftBatch batch = NftBatch.begin().add(TableSets.table(family));
        sets.values().forEach(batch::add);
        for (ChainRules chain : chains) {
            NftChain named = NftChain.of(name().chain(chain.name()));
            batch.add(chain.hook().map(hook -> NftChain.of(named.name(), hook)).orElse(named));
        }
        elements.forEach((set, members) -> batch.addElements(name().set(set), List.copyOf(members.values())));
        for (ChainRules chain : chains) {
            for (RuleBody rule : chain.rules()) {
                batch.append(name().chain(chain.name()), rule);
            }
        }
        return batch;
    }

    private static final class Maker {
        private final IpFamily family;
        private final Map<String, NftSet> sets = new LinkedHashMap<>();
        private final Map<String, Map<Bytes, NftElement>> elements = new LinkedHashMap<>();
        private final Map<Lane, TreeMap<Integer, Boolean>> counts = new TreeMap<>();
        private final List<ChainRules> chains = new ArrayList<>();

        Maker(IpFamily family) {
            this.family = family;
        }

        WholeTable table(NodePlan node, Collection<ServicePlan> services) {
            TableSets.fixed(family).forEach(this::declare);
            chains.addAll(TableChains.of(node));
            if (node.nodePorts() instanceof NodePortMatch.Only(var addresses)) {
                addresses.forEach(ip -> put(FixedSet.NODE_PORT_ADDRESSES.setName(), NftElement.of(Keys.address(ip))));
            }
            for (ServicePlan service : services) {
                ServiceElements wanted = ElementCompiler.compile(service);
                wanted.members().forEach(this::member);
                wanted.spreads().forEach(this::spread);
                sticky(wanted.sticky());
            }
            for (Lane lane : Lane.values()) {
                TreeSet<Integer> used =
                        new TreeSet<>(counts.getOrDefault(lane, new TreeMap<>()).keySet());
                used.forEach(count -> chains.add(LaneChain.drawing(family, lane, count)));
                chains.add(LaneChain.of(family, lane, used));
                chains.add(LaneChain.first(family, lane));
            }
            return new WholeTable(family, sets, elements, chains);
        }

        private void declare(NftSet set) {
            sets.put(set.name().name(), set);
        }

        private void put(String set, NftElement element) {
            elements.computeIfAbsent(set, ignored -> new LinkedHashMap<>()).putIfAbsent(element.key(), element);
        }

        private void member(Member member) {
            NftElement element = NftElement.of(member.key());
            element = member.keyEnd().length() == 0 ? element : element.to(member.keyEnd());
            put(member.set().setName(), member.comment().isEmpty() ? element : element.withComment(member.comment()));
        }

        private void spread(Spread spread) {
            Lane lane = spread.lane();
            int count = spread.endpoints().size();
            declare(TableSets.counted(family, lane, count));
            counts.computeIfAbsent(lane, ignored -> new TreeMap<>()).put(count, true);
            put(lane.setName(count), NftElement.of(spread.destination()));
            int slot = 0;
            for (Backend backend : spread.endpoints()) {
                put(
                        lane.mapName(),
                        NftElement.of(Keys.slot(spread.destination(), slot++), Keys.endpoint(backend.address())));
            }
        }

        private void sticky(List<Sticky> lists) {
            AffinityObjects objects = AffinityObjects.of(family, lists);
            objects.sets().forEach(this::declare);
            chains.addAll(objects.chains());
            for (Sticky list : lists) {
                for (Sticky.Entry entry : list.destinations()) {
                    put(
                            entry.lane().stickyMapName(),
                            NftElement.of(
                                    entry.destination(),
                                    new MapData.Does(new Verdict.Goto(list.chain())),
                                    Bytes.EMPTY));
                }
            }
        }
    }
}
