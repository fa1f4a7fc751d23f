package io.dualstackd.dataplane.churn;

import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableContent;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.dataplane.rules.nftables.WalkedTable;
import io.dualstackd.dataplane.rules.nftables.WholeTable;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The table as the kernel holds it, with its declarations. */
record KernelTable(Optional<NftTable> table, Map<String, NftSet> sets, TableContent content) {
    private static final int SLOT = Integer.BYTES;

    static KernelTable read(NftClient kernel, IpFamily family) throws NetlinkException {
        return kernel.consistently(client -> now(client, TableSets.name(family)))
                .value();
    }

    private static KernelTable now(NftClient kernel, TableName table) throws NetlinkException {
        Map<String, List<List<NftExpr>>> rules = new HashMap<>();
        for (NftRule rule : kernel.rules(table)) {
            rules.computeIfAbsent(rule.chain().name(), name -> new ArrayList<>())
                    .add(rule.expressions());
        }
        Map<String, WalkedTable.Chain> chains = new HashMap<>();
        for (NftChain chain : kernel.chains(table)) {
            String name = chain.name().name();
            chains.put(name, new WalkedTable.Chain(chain.hook(), rules.getOrDefault(name, List.of())));
        }
        Map<String, NftSet> sets = new TreeMap<>();
        Map<String, Map<Bytes, NftElement>> elements = new HashMap<>();
        for (NftSet set : kernel.sets(table)) {
            Map<Bytes, NftElement> found = new HashMap<>();
            kernel.elements(set.name()).forEach(element -> found.put(element.key(), element));
            elements.put(set.name().name(), found);
            sets.put(set.name().name(), set);
        }
        return new KernelTable(kernel.table(table), sets, new TableContent(chains, elements));
    }

    /** Where it differs from what it should be, in words. */
    List<String> differences(WholeTable wanted) {
        List<String> differences = new ArrayList<>();
        if (table.isEmpty() || table.get().flags() != 0) {
            differences.add("the table is " + table);
        }
        compare("chain", TableContent.of(wanted).chains(), content.chains(), differences);
        compare("set", declarations(wanted.sets()), declarations(sets), differences);
        for (String set : wanted.sets().keySet()) {
            Map<Bytes, NftElement> want = wanted.elements().getOrDefault(set, Map.of());
            Map<Bytes, NftElement> have = content.sets().getOrDefault(set, Map.of());
            if (isLaneMap(set)) {
                compare("slots in " + set + " of", slots(want), slots(have), differences);
            } else if (!isOfClients(set)) {
                compare("element in " + set, elements(want), elements(have), differences);
            }
        }
        return differences;
    }

    static boolean isOfClients(String set) {
        return set.startsWith("affinity-");
    }

    private static boolean isLaneMap(String set) {
        return List.of(Lane.values()).stream().anyMatch(lane -> lane.mapName().equals(set));
    }

    private static <K, V> void compare(String what, Map<K, V> want, Map<K, V> have, List<String> differences) {
        want.forEach((key, value) -> {
            V found = have.get(key);
            if (found == null) {
                differences.add(what + " " + key + " is missing");
            } else if (!found.equals(value)) {
                differences.add(what + " " + key + " is " + found + " instead of " + value);
            }
        });
        have.forEach((key, value) -> {
            if (!want.containsKey(key)) {
                differences.add(what + " " + key + " should not be: " + value);
            }
        });
    }

    /** What was declared, without what the kernel added; for verdicts it reports the size of its own structure. */
    private record Declaration(
            int flags,
            int keyType,
            int keyLength,
            int dataType,
            long timeout,
            int size,
            List<Integer> fields,
            Bytes user) {}

    private static Map<String, Declaration> declarations(Map<String, NftSet> sets) {
        Map<String, Declaration> declarations = new TreeMap<>();
        sets.forEach((name, set) -> declarations.put(
                name,
                new Declaration(
                        set.flags(),
                        set.keyType(),
                        set.keyLength(),
                        set.dataType(),
                        set.timeoutMillis(),
                        set.size(),
                        set.fields(),
                        set.userData())));
        return declarations;
    }

    /** An element without its comment, which a full comparison does not check: a foreign one stays. */
    private record Bare(Bytes end, MapData data, int flags, long timeout) {}

    private static Map<Bytes, Bare> elements(Map<Bytes, NftElement> elements) {
        Map<Bytes, Bare> bare = new HashMap<>();
        elements.forEach((key, element) ->
                bare.put(key, new Bare(element.keyEnd(), element.data(), element.flags(), element.timeoutMillis())));
        return bare;
    }

    /** The slot numbers of a destination, and the endpoints they lead to, in any assignment. */
    private record Slots(Set<Bytes> numbers, List<String> endpoints) {}

    private static Map<Bytes, Slots> slots(Map<Bytes, NftElement> elements) {
        Map<Bytes, Slots> slots = new HashMap<>();
        elements.forEach((key, element) -> {
            int length = key.length() - SLOT;
            Slots of =
                    slots.computeIfAbsent(key.first(length), ignored -> new Slots(new HashSet<>(), new ArrayList<>()));
            of.numbers().add(Bytes.of(key.toArray(), length, key.length()));
            of.endpoints().add(element.data().toString());
        });
        slots.values().forEach(of -> of.endpoints().sort(null));
        return slots;
    }
}
