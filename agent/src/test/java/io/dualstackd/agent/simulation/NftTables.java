package io.dualstackd.agent.simulation;

import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftChange;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftSet;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The tables of a simulated kernel, as its messages created them: each object keeps the attributes it was sent with. A transaction works on
 * a copy that shares what it does not change.
 */
final class NftTables {
    private final Map<TableName, Table> tables;
    private long handles;

    NftTables() {
        this(new TreeMap<>(Comparator.comparing(TableName::toString)), 0);
    }

    private NftTables(Map<TableName, Table> tables, long handles) {
        this.tables = tables;
        this.handles = handles;
    }

    /** A table, its sets and its chains. */
    record Table(TableName name, Bytes attrs, long handle, Map<String, Set> sets, Map<String, Chain> chains) {
        Table copy() {
            return new Table(name, attrs, handle, new TreeMap<>(sets), new TreeMap<>(chains));
        }
    }

    /** A set, with its elements by key. */
    record Set(NftSet declared, Bytes attrs, Map<String, Element> elements) {
        Set copy() {
            return new Set(declared, attrs, new TreeMap<>(elements));
        }
    }

    /** @param nest its attributes, with the header of their nest */
    record Element(NftElement value, Bytes nest) {}

    record Chain(NftChain declared, Bytes attrs, long handle, List<Rule> rules) {
        Chain copy() {
            return new Chain(declared, attrs, handle, new ArrayList<>(rules));
        }
    }

    record Rule(NftRule value, Bytes attrs, long handle) {}

    NftTables copy() {
        Map<TableName, Table> copies = new TreeMap<>(Comparator.comparing(TableName::toString));
        copies.putAll(tables);
        return new NftTables(copies, handles);
    }

    Optional<Table> find(TableName name) {
        return Optional.ofNullable(tables.get(name));
    }

    /** The tables of a family, or all. */
    Stream<Table> of(NftFamily family) {
        return tables.values().stream()
                .filter(table ->
                        family.equals(NftFamily.ALL) || table.name.family().equals(family));
    }

    /** Applies one message of a transaction; returns why it is refused. */
    Optional<Errno> apply(NlMessage message) {
        try {
            return apply(NftChange.read(message), message);
        } catch (DecodeException e) {
            throw new IllegalArgumentException("a message of the daemon cannot be decoded: " + message, e);
        }
    }

    private Optional<Errno> apply(NftChange change, NlMessage message) {
        return switch (change) {
            case NftChange.TableSet(var table) -> {
                tables.computeIfAbsent(
                        table.name(),
                        name -> new Table(
                                name,
                                Bytes.of(RawMessage.attrs(message)),
                                ++handles,
                                new TreeMap<>(),
                                new TreeMap<>()));
                yield Optional.empty();
            }
            case NftChange.TableDeleted(var name) ->
                tables.remove(name) == null ? Optional.of(Errno.ENOENT) : Optional.empty();
            case NftChange.SetSet(NftSet set) ->
                in(set.name().table(), table -> {
                    table.sets.putIfAbsent(
                            set.name().name(), new Set(set, Bytes.of(RawMessage.attrs(message)), new TreeMap<>()));
                    return Optional.empty();
                });
            case NftChange.SetDeleted(var name) ->
                in(
                        name.table(),
                        table -> table.chains.values().stream().anyMatch(chain -> uses(chain, name.name()))
                                ? Optional.of(Errno.EBUSY)
                                : table.sets.remove(name.name()) == null
                                        ? Optional.of(Errno.ENOENT)
                                        : Optional.empty());
            case NftChange.ElementsSet(var name, var elements) ->
                in(name.table(), table -> add(table, name.name(), elements, RawMessage.elements(message)));
            case NftChange.ElementsDeleted(var name, var elements) ->
                in(name.table(), table -> remove(table, name.name(), elements));
            case NftChange.ChainSet(NftChain chain) ->
                in(chain.name().table(), table -> {
                    table.chains.putIfAbsent(
                            chain.name().name(),
                            new Chain(chain, Bytes.of(RawMessage.attrs(message)), ++handles, new ArrayList<>()));
                    return Optional.empty();
                });
            case NftChange.ChainDeleted(var name) ->
                in(name.table(), table -> {
                    Chain chain = table.chains.get(name.name());
                    if (chain == null) {
                        return Optional.of(Errno.ENOENT);
                    }
                    if (!chain.rules.isEmpty() || isTarget(table, name.name())) {
                        return Optional.of(Errno.EBUSY);
                    }
                    table.chains.remove(name.name());
                    return Optional.empty();
                });
            case NftChange.RuleSet(NftRule rule) ->
                inChain(rule, chain -> {
                    Rule added = new Rule(rule, Bytes.of(RawMessage.attrs(message)), ++handles);
                    boolean append = (message.flags() & RawMessage.APPEND) != 0;
                    chain.rules.add(append ? chain.rules.size() : 0, added);
                });
            case NftChange.RuleDeleted(NftRule rule) ->
                inChain(
                        rule,
                        chain -> chain.rules.removeIf(known -> rule.handle() == 0 || known.handle == rule.handle()));
            case NftChange.Committed ignored -> Optional.empty();
            case NftChange.Other(int type) ->
                type == NftMessageType.GET_GENERATION ? Optional.empty() : Optional.of(Errno.EOPNOTSUPP);
        };
    }

    private interface Change<T> {
        Optional<Errno> in(T owner);
    }

    private Optional<Errno> in(TableName name, Change<Table> change) {
        Table table = tables.get(name);
        if (table == null) {
            return Optional.of(Errno.ENOENT);
        }
        Table copy = table.copy();
        Optional<Errno> refused = change.in(copy);
        tables.put(name, copy);
        return refused;
    }

    private Optional<Errno> inChain(NftRule rule, Consumer<Chain> change) {
        return in(rule.chain().table(), table -> {
            Chain chain = table.chains.get(rule.chain().name());
            if (chain == null) {
                return Optional.of(Errno.ENOENT);
            }
            Chain copy = chain.copy();
            change.accept(copy);
            table.chains.put(rule.chain().name(), copy);
            return Optional.empty();
        });
    }

    private static Optional<Errno> add(Table table, String name, List<NftElement> elements, List<byte[]> nests) {
        Set before = table.sets.get(name);
        if (before == null) {
            return Optional.of(Errno.ENOENT);
        }
        Set set = before.copy();
        table.sets.put(name, set);
        for (int i = 0; i < elements.size(); i++) {
            NftElement element = elements.get(i);
            if (element.data() instanceof MapData.Does(Verdict.Goto(String chain))
                    && !table.chains.containsKey(chain)) {
                return Optional.of(Errno.ENOENT);
            }
            Element known = set.elements.putIfAbsent(key(element), new Element(element, Bytes.of(nests.get(i))));
            if (known != null && !known.value.data().equals(element.data())) {
                return Optional.of(Errno.EEXIST);
            }
        }
        return Optional.empty();
    }

    private static Optional<Errno> remove(Table table, String name, List<NftElement> elements) {
        Set before = table.sets.get(name);
        if (before == null) {
            return Optional.of(Errno.ENOENT);
        }
        Set set = before.copy();
        table.sets.put(name, set);
        for (NftElement element : elements) {
            if (set.elements.remove(key(element)) == null) {
                return Optional.of(Errno.ENOENT);
            }
        }
        return Optional.empty();
    }

    static String key(NftElement element) {
        return element.key() + "-" + element.keyEnd();
    }

    private static boolean uses(Chain chain, String set) {
        return chain.rules.stream().anyMatch(rule -> rule.value.toString().contains(" set " + set + " "));
    }

    private static boolean isTarget(Table table, String chain) {
        return table.sets.values().stream()
                .flatMap(set -> set.elements.values().stream())
                .anyMatch(element -> element.value.data() instanceof MapData.Does(Verdict.Goto(String target))
                        && target.equals(chain));
    }
}
