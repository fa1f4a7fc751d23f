package io.dualstackd.dataplane.diff.legacy;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which tables are replaced. Each table is replaced on its own, so between two replacements a packet meets the new one and
 * the old other one.
 *
 * <p>The filter table refuses what nat did not translate: Services without endpoints, sources that are not allowed. So a refusal must
 * exist before nat stops translating for its Service, and may be removed only after nat translates again: additions to filter come
 * before nat, removals after. A packet in between is sent to where it was sent before, or refused; it never leaves for the address of a
 * Service as if that were a host.
 */
public final class TableOrder {
    private TableOrder() {}

    /** The steps of one table, applied at once. */
    public record Stage(Table table, List<NumberedOp> ops) {
        public Stage {
            ops = List.copyOf(ops);
        }
    }

    /** @param ops in the order of the transaction */
    public static List<Stage> of(List<NumberedOp> ops) {
        Map<Table, List<NumberedOp>> byTable = new EnumMap<>(Table.class);
        for (NumberedOp op : ops) {
            byTable.computeIfAbsent(table(op.op()), key -> new ArrayList<>()).add(op);
        }
        List<NumberedOp> filter = byTable.getOrDefault(Table.FILTER, List.of());
        List<NumberedOp> gains = new ArrayList<>();
        List<NumberedOp> losses = new ArrayList<>();
        Set<ChainId> leaving = new HashSet<>();
        for (NumberedOp op : filter) {
            if (op.op() instanceof Op.DeleteChain(ChainId chain, var ignored)) {
                leaving.add(chain);
            }
        }
        for (NumberedOp op : filter) {
            (takesAway(op.op(), leaving) ? losses : gains).add(op);
        }
        List<Stage> stages = new ArrayList<>();
        add(Table.MANGLE, byTable.getOrDefault(Table.MANGLE, List.of()), stages);
        List<NumberedOp> nat = byTable.getOrDefault(Table.NAT, List.of());
        if (nat.isEmpty()) {
            add(Table.FILTER, filter, stages);
        } else {
            add(Table.FILTER, gains, stages);
            add(Table.NAT, nat, stages);
            add(Table.FILTER, losses, stages);
        }
        return stages;
    }

    private static void add(Table table, List<NumberedOp> ops, List<Stage> stages) {
        if (!ops.isEmpty()) {
            stages.add(new Stage(table, ops));
        }
    }

    private static boolean takesAway(Op op, Set<ChainId> leaving) {
        return switch (op) {
            case Op.DeleteRule _, Op.DeleteChain _ -> true;
            // A chain that stays is emptied to be written anew, at once.
            case Op.FlushChain(ChainId chain, var ignored) -> leaving.contains(chain);
            case Op.EnsureTable _, Op.CreateChain _, Op.AppendRule _, Op.PlaceRule _ -> false;
        };
    }

    private static Table table(Op op) {
        return switch (op) {
            case Op.EnsureTable(Table table, var ignored) -> table;
            case Op.CreateChain(ChainId chain, var ignored) -> chain.table();
            case Op.FlushChain(ChainId chain, var ignored) -> chain.table();
            case Op.DeleteChain(ChainId chain, var ignored) -> chain.table();
            case Op.AppendRule append -> append.chain().table();
            case Op.PlaceRule place -> place.chain().table();
            case Op.DeleteRule delete -> delete.chain().table();
        };
    }
}
