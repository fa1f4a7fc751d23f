package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Sticky;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.StickyEndpoint;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.RuleBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of a Service with session affinity.
 *
 * @param sets the clients of each endpoint
 * @param chains those of endpoints, then those of lists, which jump to them
 */
public record AffinityObjects(List<NftSet> sets, List<ChainRules> chains) {
    public static final AffinityObjects NOTHING = new AffinityObjects(List.of(), List.of());

    public AffinityObjects {
        sets = List.copyOf(sets);
        chains = List.copyOf(chains);
    }

    /** As {@link #of(TableForm, List)}, in a table of the usual form. */
    public static AffinityObjects of(IpFamily family, List<Sticky> lists) {
        return of(TableForm.plain(family), lists);
    }

    /** @param lists all of one Service */
    public static AffinityObjects of(TableForm form, List<Sticky> lists) {
        IpFamily family = form.family();
        if (lists.isEmpty()) {
            return NOTHING;
        }
        Map<String, NftSet> sets = new LinkedHashMap<>();
        Map<String, ChainRules> endpoints = new LinkedHashMap<>();
        List<ChainRules> chains = new ArrayList<>();
        for (Sticky list : lists) {
            for (StickyEndpoint endpoint : list.endpoints()) {
                sets.computeIfAbsent(endpoint.clients(), name -> TableSets.clients(family, name));
                endpoints.computeIfAbsent(endpoint.chain(), name -> endpoint(form, list, endpoint));
            }
            chains.add(list(family, list));
        }
        chains.addAll(0, endpoints.values());
        return new AffinityObjects(List.copyOf(sets.values()), chains);
    }

    /** Sends a remembered client to its endpoint, checked in the order of the endpoints; any other one to a random endpoint. */
    private static ChainRules list(IpFamily family, Sticky list) {
        List<StickyEndpoint> endpoints = list.endpoints();
        List<RuleBody> rules = new ArrayList<>();
        for (StickyEndpoint endpoint : endpoints) {
            rules.add(new RuleDraft(family).sourceIn(endpoint.clients()).goTo(endpoint.chain()));
        }
        for (int i = 0; i < endpoints.size(); i++) {
            // One of those left: the rules before take their share, so all have the same probability.
            rules.add(new RuleDraft(family)
                    .oneIn(endpoints.size() - i)
                    .goTo(endpoints.get(i).chain()));
        }
        return ChainRules.of(list.chain(), rules);
    }

    private static ChainRules endpoint(TableForm form, Sticky list, StickyEndpoint endpoint) {
        IpFamily family = form.family();
        RuleDraft translation = new RuleDraft(family).protocol(list.protocol());
        // Two rules: when the set is full the first one ends, and the client is served all the same.
        return ChainRules.of(
                endpoint.chain(),
                new RuleDraft(family).remember(endpoint.clients(), list.timeoutSeconds()),
                (form.countsEndpoints() ? translation.count() : translation).translate(endpoint.address()));
    }

    /** The chain through which clients of a port with session affinity reach an endpoint. */
    public static String endpointChain(ServicePortName port, IpPort address) {
        return ObjectNames.endpoint(port, address).chain();
    }
}
