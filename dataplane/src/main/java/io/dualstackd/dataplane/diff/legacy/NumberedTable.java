package io.dualstackd.dataplane.diff.legacy;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.xt.table.TableBlob;
import io.dualstackd.netlink.xt.table.XtChain;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A table as it was last read or written.
 *
 * @param blob what the kernel holds, counters apart
 * @param table its chains; views into the blob
 * @param rows the rules of the observed chains, by chain, each with its number
 */
public record NumberedTable(TableBlob blob, XtTable table, Map<String, List<Row>> rows) {
    /**
     * @param handle its number
     * @param print equal to that of its image
     */
    public record Row(long handle, XtEntry entry, Fingerprint print) {}

    /** How to number a table: which chains to observe, the fingerprint of a rule, and the source of numbers. */
    public record Lens(Predicate<XtChain> looksAt, Function<XtEntry, Fingerprint> print, LongSupplier numbers) {}

    /** Numbers every rule; those that were in {@code before} keep their numbers. */
    public static NumberedTable of(TableBlob blob, XtTable table, Lens lens, Optional<NumberedTable> before) {
        Map<String, List<Row>> rows = new HashMap<>();
        for (XtChain chain : table.chains()) {
            if (lens.looksAt().test(chain)) {
                List<Row> known = before.map(old -> old.rows().getOrDefault(chain.name(), List.of()))
                        .orElse(List.of());
                rows.put(chain.name(), number(chain.rules(), lens, known));
            }
        }
        return new NumberedTable(blob, table, rows);
    }

    private static List<Row> number(List<XtEntry> rules, Lens lens, List<Row> known) {
        Map<Fingerprint, Deque<Long>> numbers = new HashMap<>();
        for (Row row : known) {
            numbers.computeIfAbsent(row.print(), key -> new ArrayDeque<>()).add(row.handle());
        }
        List<Row> rows = new ArrayList<>(rules.size());
        for (XtEntry rule : rules) {
            Fingerprint print = lens.print().apply(rule);
            Deque<Long> kept = numbers.get(print);
            Long handle = kept == null ? null : kept.poll();
            rows.add(new Row(handle == null ? lens.numbers().getAsLong() : handle, rule, print));
        }
        return rows;
    }

    /**
     * The table that was just written.
     *
     * @param written its intended rows; they become views into the new blob, so that the old one can be released
     */
    public static NumberedTable written(TableBlob blob, XtTable table, Map<String, List<Row>> written) {
        Map<String, List<Row>> rows = new HashMap<>();
        for (XtChain chain : table.chains()) {
            List<Row> meant = written.get(chain.name());
            if (meant != null) {
                List<Row> now = new ArrayList<>(meant.size());
                for (int i = 0; i < meant.size(); i++) {
                    now.add(new Row(
                            meant.get(i).handle(),
                            chain.rules().get(i),
                            meant.get(i).print()));
                }
                rows.put(chain.name(), now);
            }
        }
        return new NumberedTable(blob, table, rows);
    }

    /** Whether the observed chains hold the same rules in both; other chains do not count. */
    public boolean looksLike(NumberedTable other) {
        if (!rows.keySet().equals(other.rows.keySet())) {
            return false;
        }
        for (Map.Entry<String, List<Row>> chain : rows.entrySet()) {
            List<Row> mine = chain.getValue();
            List<Row> others = other.rows.getOrDefault(chain.getKey(), List.of());
            if (mine.size() != others.size()) {
                return false;
            }
            for (int i = 0; i < mine.size(); i++) {
                if (!mine.get(i).print().equals(others.get(i).print())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether there is nothing of interest in it, as in a table that was just created. */
    public boolean isBare() {
        return table.chains().stream()
                .filter(chain -> rows.containsKey(chain.name()))
                .allMatch(chain -> chain.isBuiltIn() && chain.rules().isEmpty());
    }
}
