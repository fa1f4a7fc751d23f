package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.elements.ChainFingerprint;
import io.dualstackd.dataplane.diff.elements.DirtyObjects;
import io.dualstackd.dataplane.diff.elements.Elements;
import io.dualstackd.dataplane.diff.elements.PackedTable;
import io.dualstackd.dataplane.diff.elements.ReadBack;
import io.dualstackd.dataplane.diff.elements.TableContent;
import io.dualstackd.dataplane.diff.elements.TableContent.Table;
import io.dualstackd.dataplane.rules.encoding.ExpressionPrint;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.ElementScan;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.RuleView;
import io.dualstackd.netlink.nft.SetName;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.wire.Bytes;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Reads the table of a family: its declarations, its chains, and its elements into packed tables. */
final class TableReader {
    private final TableForm form;
    private final IpFamily family;
    private final TableName table;
    private final ExpressionPrint print;
    private final SlotReader slotReader;

    TableReader(TableForm form, ExpressionPrint print) {
        this(form, print, SlotReader.MANY);
    }

    /** @param many slots that are read one by one rather than as a list */
    TableReader(TableForm form, ExpressionPrint print, int many) {
        this.form = form;
        this.family = form.family();
        this.slotReader = new SlotReader(many);
        this.table = TableSets.name(family);
        this.print = print;
    }

    /** Reads the whole table. Dumps during which the kernel reorganised a set are repeated. */
    TableContent read(NftClient kernel) throws NetlinkException {
        return read(kernel, true);
    }

    /** Reads the table without its elements. */
    TableContent readFrame(NftClient kernel) throws NetlinkException {
        return read(kernel, false);
    }

    private TableContent read(NftClient kernel, boolean withElements) throws NetlinkException {
        Optional<NftTable> found = kernel.table(table);
        if (found.isEmpty()) {
            return TableContent.nothing(family, Table.MISSING);
        }
        Map<String, NftSet> sets = sets(kernel);
        if (found.get().flags() != 0 || !TableContent.declaredAsOurs(form, sets)) {
            return TableContent.nothing(family, Table.FOREIGN);
        }
        Elements elements = new Elements(family);
        for (NftSet set : withElements ? inOrder(sets.values()) : List.<NftSet>of()) {
            if (!elements(kernel, set.name(), elements)) {
                return TableContent.nothing(family, Table.FOREIGN);
            }
        }
        return new TableContent(Table.OURS, sets, chains(kernel), elements);
    }

    /** The maps of endpoints come last: the other sets determine which keys they should have. */
    private static List<NftSet> inOrder(Collection<NftSet> sets) {
        return sets.stream()
                .sorted(Comparator.comparing(
                        set -> Elements.slotLane(set.name().name()).isPresent()))
                .toList();
    }

    private Map<String, NftSet> sets(NftClient kernel) throws NetlinkException {
        Map<String, NftSet> sets = new LinkedHashMap<>();
        for (NftSet set : kernel.sets(table)) {
            if (!set.has(NftSet.ANONYMOUS)) {
                sets.put(set.name().name(), set);
            }
        }
        return sets;
    }

    private Map<String, ChainFingerprint> chains(NftClient kernel) throws NetlinkException {
        Map<String, ChainFingerprint> chains = new HashMap<>();
        for (NftChain chain : kernel.chains(table)) {
            chains.put(chain.name().name(), print(kernel, chain));
        }
        return chains;
    }

    private ChainFingerprint print(NftClient kernel, NftChain chain) throws NetlinkException {
        List<Fingerprint> rules = chain.use() == 0
                ? List.of()
                : kernel.rules(
                        chain.name(), message -> print.of(RuleView.read(message).expressions()));
        Fingerprint content = Fingerprint.EMPTY;
        for (Fingerprint rule : rules) {
            content = content.then(rule);
        }
        return new ChainFingerprint(chain.hook(), content, rules.size());
    }

    /** Reads only some chains and elements, one by one. */
    ReadBack readDirty(NftClient kernel, DirtyObjects dirtyObjects) throws NetlinkException {
        Map<String, Optional<ChainFingerprint>> chains = new HashMap<>();
        for (String name : dirtyObjects.chains()) {
            Optional<NftChain> chain = kernel.chain(table.chain(name));
            chains.put(name, chain.isPresent() ? Optional.of(print(kernel, chain.get())) : Optional.empty());
        }
        Map<String, Map<Bytes, Optional<ReadBack.Held>>> elements = new HashMap<>();
        for (Map.Entry<String, Set<Bytes>> set : dirtyObjects.elements().entrySet()) {
            Map<Bytes, Optional<ReadBack.Held>> held = new HashMap<>();
            for (Bytes key : set.getValue()) {
                held.put(key, kernel.element(table.set(set.getKey()), key).map(TableReader::held));
            }
            elements.put(set.getKey(), held);
        }
        return new ReadBack(chains, elements);
    }

    /** What an element holds, as it is compared. */
    static ReadBack.Held held(NftElement element) {
        return switch (element.data()) {
            case MapData.Nothing() -> ReadBack.Held.NOTHING;
            case MapData.Value(Bytes bytes) -> new ReadBack.Held(bytes, "");
            case MapData.Does(Verdict verdict) ->
                new ReadBack.Held(
                        Bytes.EMPTY, verdict instanceof Verdict.Goto(String chain) ? chain : verdict.toString());
        };
    }

    /** @return false when there are elements that are not of this layout */
    private boolean elements(NftClient kernel, SetName set, Elements into) throws NetlinkException {
        Optional<Lane> sticky = Elements.stickyLane(set.name());
        if (sticky.isPresent()) {
            Verdicts verdicts = whole(kernel, set, Verdicts::new, each -> each.doubled);
            into.sticky(sticky.get()).putAll(verdicts.chains);
            return !verdicts.odd;
        }
        Optional<PackedTable> table = into.named(set.name());
        if (table.isEmpty()) {
            return true;
        }
        Optional<Lane> slots = Elements.slotLane(set.name());
        if (slots.isPresent() && slotReader.read(kernel, set, slots.get(), into)) {
            return true;
        }
        PackedTable shape = table.get();
        Packing packing = whole(
                kernel,
                set,
                () -> new Packing(new PackedTable(shape.keyLength(), shape.valueLength())),
                each -> each.into.doubled());
        into.put(set.name(), packing.into);
        return !packing.odd;
    }

    /** Reads a set until no key is listed twice: while the kernel moves elements to a larger table, it may list one twice and miss another. */
    private static <T extends ElementScan.Sink> T whole(
            NftClient kernel, SetName set, Supplier<T> sinks, Predicate<T> doubled) throws NetlinkException {
        for (int attempt = 0; attempt < NftClient.READ_ATTEMPTS; attempt++) {
            T sink = kernel.elements(set, sinks);
            if (!doubled.test(sink)) {
                return sink;
            }
        }
        throw new NetlinkException.DumpInterrupted("list elements of set " + set, NftClient.READ_ATTEMPTS);
    }

    /** Takes elements into a table; {@code odd} when one is not of the table's shape. */
    static final class Packing implements ElementScan.Sink {
        final PackedTable into;
        boolean odd;

        Packing(PackedTable into) {
            this.into = into;
        }

        @Override
        public void element(ElementScan element) {
            if (element.keyLength() == into.keyLength()
                    && element.valueLength() == into.valueLength()
                    && element.flags() == 0) {
                into.add(element.key(), 0, element.value(), 0);
            } else {
                odd = true;
            }
        }
    }

    private static final class Verdicts implements ElementScan.Sink {
        private final Map<Bytes, String> chains = new HashMap<>();
        private boolean odd;
        private boolean doubled;

        @Override
        public void element(ElementScan element) {
            odd |= element.keyLength() == 0;
            doubled |= chains.put(Bytes.of(element.key(), 0, element.keyLength()), element.chain()) != null;
        }
    }
}
