package io.dualstackd.bench.scale;

import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.Backend;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.nftables.ElementCompiler;
import io.dualstackd.dataplane.rules.nftables.KeyShape;
import io.dualstackd.dataplane.rules.nftables.KeyShape.Part;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.ServiceElements;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Member;
import io.dualstackd.dataplane.rules.nftables.ServiceElements.Spread;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

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

    /** Set elements in the syntax of {@code nft}. Does not support session affinity and ranges, which the measured cluster does not have. */
    private static final class NftElements {
        private final IpFamily family;
        private final String table;
        private final SortedSet<String> countedSets = new TreeSet<>();

        NftElements(IpFamily family) {
            this.family = family;
            table = family == IpFamily.IPV4 ? "ip dualstackd " : "ip6 dualstackd ";
        }

        /** Returns each element as written in a command: the text up to the end of its key, and what follows the key: a value or a comment. */
        Map<String, String> of(ServiceElements service) {
            Map<String, String> elements = new LinkedHashMap<>();
            for (Member member : service.members()) {
                elements.put(
                        element(member.set().setName(), member.set().shape(), member.key()),
                        member.comment().isEmpty() ? "" : " comment \"" + member.comment() + "\"");
            }
            for (Spread spread : service.spreads()) {
                Lane lane = spread.lane();
                List<Backend> endpoints = spread.endpoints();
                String counted = lane.setName(endpoints.size());
                countedSets.add(counted);
                elements.put(element(counted, lane.destination(), spread.destination()), "");
                for (int i = 0; i < endpoints.size(); i++) {
                    elements.put(
                            element(lane.mapName(), lane.slot(), Keys.slot(spread.destination(), i)),
                            " : " + endpoints.get(i).address().ip() + " . "
                                    + endpoints.get(i).address().port());
                }
            }
            return elements;
        }

        /** Returns the commands that create the sets for the numbers of endpoints seen so far, if they do not exist. */
        String countedSets() {
            StringBuilder text = new StringBuilder();
            String address = family == IpFamily.IPV4 ? "ip" : "ip6";
            for (String set : countedSets) {
                text.append("add set ")
                        .append(table)
                        .append(set)
                        .append(" { typeof ")
                        .append(address);
                text.append(" daddr . meta l4proto . th dport; }\n");
            }
            return text.toString();
        }

        private String element(String set, KeyShape shape, Bytes key) {
            return table + set + " { " + key(shape, key);
        }

        private static String key(KeyShape shape, Bytes key) {
            try {
                NlReader reader = key.reader("key");
                List<String> parts = new ArrayList<>();
                int addressBytes = addressBytes(shape, key);
                for (Part part : shape.parts()) {
                    parts.add(part(part, reader, addressBytes));
                }
                return String.join(" . ", parts);
            } catch (DecodeException e) {
                throw new IllegalStateException("a key of our own", e);
            }
        }

        /** Parts that are not addresses take four bytes each. */
        private static int addressBytes(KeyShape shape, Bytes key) {
            long addresses = shape.parts().stream()
                    .filter(part -> part == Part.SOURCE || part == Part.DESTINATION)
                    .count();
            return (int) ((key.length() - 4 * (shape.parts().size() - addresses)) / Math.max(1, addresses));
        }

        private static String part(Part part, NlReader reader, int addressBytes) throws DecodeException {
            return switch (part) {
                case SOURCE, DESTINATION -> reader.ip(addressBytes).toString();
                case PROTOCOL -> {
                    String name = new Proto(reader.u8()).toString();
                    reader.skip(3);
                    yield name;
                }
                case PORT -> {
                    int port = reader.u16be();
                    reader.skip(2);
                    yield Integer.toString(port);
                }
                case SLOT -> Integer.toString(reader.u32());
            };
        }
    }
}
