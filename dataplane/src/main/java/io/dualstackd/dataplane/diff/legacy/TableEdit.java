package io.dualstackd.dataplane.diff.legacy;

import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.legacy.NumberedTable.Row;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Applies steps to a table, one after the other, and refuses those that nf_tables would refuse. Used once. */
public final class TableEdit {
    private final XtTable table;
    private final Map<String, XtChain> builtIn = new LinkedHashMap<>();
    /** User-defined chains in the order of their names, as iptables keeps them: it finds a chain by binary search. */
    private final TreeMap<String, XtChain> ofUsers = new TreeMap<>();

    private final Map<String, List<Row>> rows;
    /** The rules of chains that differ from those of the table. */
    private final Map<String, List<Row>> changed = new HashMap<>();

    private final Map<String, Origin> deleted = new HashMap<>();
    private final List<Refusal> refusals = new ArrayList<>();

    private TableEdit(NumberedTable base) {
        table = base.table();
        rows = new HashMap<>(base.rows());
        for (XtChain chain : table.chains()) {
            (chain.isBuiltIn() ? builtIn : ofUsers).put(chain.name(), chain);
        }
    }

    /** The result of applying the steps. */
    public sealed interface Result {
        /** @param rows the rules of the observed chains */
        record Done(XtTable table, Map<String, List<Row>> rows) implements Result {}

        record Refused(List<Refusal> refusals) implements Result {
            public Refused {
                refusals = List.copyOf(refusals);
            }
        }
    }

    /** @param ops all of this table */
    public static Result apply(NumberedTable base, List<NumberedOp> ops) {
        TableEdit edit = new TableEdit(base);
        ops.forEach(edit::step);
        edit.refuseLostJumps();
        return edit.refusals.isEmpty() ? new Result.Done(edit.result(), edit.rows) : new Result.Refused(edit.refusals);
    }

    private void step(NumberedOp numbered) {
        switch (numbered.op()) {
            case Op.EnsureTable ignored -> {}
            case Op.CreateChain(ChainId chain, Origin origin) -> create(chain, origin);
            case Op.FlushChain(ChainId chain, Origin origin) -> {
                if (rowsOf(chain, origin) != null) {
                    change(chain, new ArrayList<>());
                }
            }
            case Op.DeleteChain(ChainId chain, Origin origin) -> delete(chain, origin);
            case Op.AppendRule(ChainId chain, RuleImage rule, Origin origin) -> add(chain, Place.TAIL, rule, 0, origin);
            case Op.PlaceRule(ChainId chain, Place place, RuleImage rule, Origin origin) ->
                add(chain, place, rule, numbered.number(), origin);
            case Op.DeleteRule(ChainId chain, long handle, Origin origin) -> {
                if (rowsOf(chain, origin) != null && !edited(chain).removeIf(row -> row.handle() == handle)) {
                    refuse(origin, "a rule of " + chain + " is not there");
                }
            }
        }
    }

    private void create(ChainId chain, Origin origin) {
        if (rows.containsKey(chain.name()) || ofUsers.containsKey(chain.name())) {
            refuse(origin, "chain " + chain + " is there already");
            return;
        }
        ofUsers.put(chain.name(), table.newChain(chain.name()));
        change(chain, new ArrayList<>());
    }

    private void delete(ChainId chain, Origin origin) {
        List<Row> there = rowsOf(chain, origin);
        if (there != null && !there.isEmpty()) {
            refuse(origin, "chain " + chain + " is not empty");
        } else if (there != null) {
            ofUsers.remove(chain.name());
            rows.remove(chain.name());
            changed.remove(chain.name());
            deleted.put(chain.name(), origin);
        }
    }

    private void add(ChainId chain, Place place, RuleImage rule, long number, Origin origin) {
        if (rowsOf(chain, origin) == null) {
            return;
        }
        XtEntry entry = switch (rule) {
            case RuleImage.Entry(var ignored, var print, XtEntry made) -> made;
            case RuleImage.Expressions ignored -> throw new IllegalArgumentException("a rule for nf_tables: " + rule);
        };
        Row row = new Row(number, entry, rule.print());
        switch (place) {
            case HEAD, AHEAD -> edited(chain).addFirst(row);
            case TAIL -> edited(chain).addLast(row);
        }
        entry.leadsTo()
                .filter(to -> !ofUsers.containsKey(to))
                .ifPresent(to -> refuse(origin, "a rule of " + chain + " leads to " + to + ", which is not there"));
    }

    private @org.jspecify.annotations.Nullable List<Row> rowsOf(ChainId chain, Origin origin) {
        List<Row> there = rows.get(chain.name());
        if (there == null) {
            refuse(origin, "chain " + chain + " is not there");
        }
        return there;
    }

    private List<Row> edited(ChainId chain) {
        List<Row> own = changed.get(chain.name());
        return own != null ? own : change(chain, new ArrayList<>(rows.getOrDefault(chain.name(), List.of())));
    }

    private List<Row> change(ChainId chain, List<Row> now) {
        rows.put(chain.name(), now);
        changed.put(chain.name(), now);
        return now;
    }

    /** The kernel has no chains in this format, so it would not notice a jump to a deleted chain. */
    private void refuseLostJumps() {
        if (deleted.isEmpty()) {
            return;
        }
        Map<String, String> lost = new TreeMap<>();
        for (XtChain chain : chains()) {
            for (XtEntry rule : chain.rules()) {
                rule.leadsTo().filter(deleted::containsKey).ifPresent(to -> lost.put(to, chain.name()));
            }
        }
        lost.forEach((to, from) -> Optional.ofNullable(deleted.get(to))
                .ifPresent(origin -> refuse(
                        origin,
                        "chain " + table.name() + " " + to + " cannot be deleted, because a rule in " + from
                                + " leads to it")));
    }

    private void refuse(Origin origin, String says) {
        refusals.add(new Refusal(Optional.of(origin), says));
    }

    private XtTable result() {
        return table.with(chains());
    }

    private List<XtChain> chains() {
        List<XtChain> chains = new ArrayList<>(builtIn.size() + ofUsers.size());
        builtIn.values().forEach(chain -> chains.add(now(chain)));
        ofUsers.values().forEach(chain -> chains.add(now(chain)));
        return chains;
    }

    private XtChain now(XtChain chain) {
        List<Row> rules = changed.get(chain.name());
        return rules == null ? chain : chain.with(rules.stream().map(Row::entry).toList());
    }
}
