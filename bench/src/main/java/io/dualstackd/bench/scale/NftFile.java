package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.nftables.ElementCompiler;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code nft -f -}. Its first load is the output of {@code nft list table} for the table of dualstackd. */
final class NftFile implements Rival {
    private final Cluster cluster;
    private final NetNs loaded;
    private final NetNs own;
    private final Program nft;
    private final ServicePlanner planner;

    private NftFile(Cluster cluster, NetNs loaded, NetNs own, Program nft) {
        this.cluster = cluster;
        this.loaded = loaded;
        this.own = own;
        this.nft = nft;
        planner = new ServicePlanner(cluster.node());
    }

    /** Empty when the program is not installed. */
    static Optional<Rival> of(Cluster cluster, NetNs loaded, NetNs own) {
        return Program.find("nft", "-f", "-").map(nft -> new NftFile(cluster, loaded, own, nft));
    }

    @Override
    public Span load() throws Exception {
        String family = cluster.family() == IpFamily.IPV4 ? "ip" : "ip6";
        String listing = nft.with("list", "table", family, "dualstackd").output(loaded);
        return nft.run(own, listing);
    }

    /** Elements only: no rule is created for a number of endpoints that is new. */
    @Override
    public Span change(List<ServiceTransition> transitions) throws Exception {
        StringBuilder gone = new StringBuilder();
        StringBuilder come = new StringBuilder();
        NftElements text = new NftElements(cluster.family());
        for (ServiceTransition serviceTransition : transitions) {
            Map<String, String> before = text.of(elements(serviceTransition.before()));
            Map<String, String> after = text.of(elements(serviceTransition.after()));
            before.forEach((element, value) -> {
                if (!value.equals(after.get(element))) {
                    gone.append("delete element ").append(element).append(" }\n");
                }
            });
            after.forEach((element, value) -> {
                if (!value.equals(before.get(element))) {
                    come.append("add element ").append(element).append(value).append(" }\n");
                }
            });
        }
        return nft.run(own, text.countedSets() + gone + come);
    }

    private ServiceElements elements(Optional<ServiceView> view) {
        return view.map(it -> ElementCompiler.compile(planner.plan(it))).orElse(ServiceElements.NOTHING);
    }
}
