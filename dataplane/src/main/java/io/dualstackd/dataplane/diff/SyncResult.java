package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of one sync, and the state after it.
 *
 * @param result how it ended
 * @param comparedAll the rules in the kernel were read and compared in full, which repairs every foreign change reported before
 * @param work done for it
 * @param totals what is wanted in the kernel
 * @param leftOut Services the kernel refuses, each with the kernel's message
 * @param tables of iptables mode; empty in other modes
 * @param kept of the Services left out, those for which what the kernel last accepted stays in force
 * @param emptied own chains that nothing needs and that stay, without rules, because rules of other programs jump to them
 */
public record SyncResult(
        Result result,
        boolean comparedAll,
        Work work,
        Totals totals,
        Map<ServiceKey, String> leftOut,
        List<TableRules> tables,
        Set<ServiceKey> kept,
        List<ChainId> emptied) {

    public SyncResult {
        leftOut = Map.copyOf(leftOut);
        tables = List.copyOf(tables);
        kept = Set.copyOf(kept);
        emptied = List.copyOf(emptied);
    }

    /** One without emptied chains. */
    public SyncResult(
            Result result,
            boolean comparedAll,
            Work work,
            Totals totals,
            Map<ServiceKey, String> leftOut,
            List<TableRules> tables,
            Set<ServiceKey> kept) {
        this(result, comparedAll, work, totals, leftOut, tables, kept, List.of());
    }

    /**
     * The work of a sync.
     *
     * @param ops steps from what was read or applied last to what is wanted, 0 when there was nothing to do
     * @param transactions accepted by the kernel: normally one; in nftables mode several for a first load, and a repair is one of its own
     * @param messages netlink messages of these
     * @param bytes bytes of these
     */
    public record Work(int ops, int transactions, int messages, long bytes) {
        public static final Work NONE = new Work(0, 0, 0, 0);

        public Work plus(Work other) {
            return new Work(
                    ops + other.ops, transactions + other.transactions, messages + other.messages, bytes + other.bytes);
        }
    }

    public int ops() {
        return work.ops;
    }

    public int transactions() {
        return work.transactions;
    }

    public int messages() {
        return work.messages;
    }

    public long bytes() {
        return work.bytes;
    }

    /** The same result with other messages for Services that are left out. */
    public SyncResult saying(Map<ServiceKey, String> words) {
        return new SyncResult(result, comparedAll, work, totals, words, tables, kept, emptied);
    }

    /** This result plus the work of {@code first}, which came before it in the same sync. */
    public SyncResult after(SyncResult first) {
        List<TableRules> rules = tables.stream()
                .map(table -> first.tables.stream()
                        .filter(before -> before.table == table.table)
                        .reduce(
                                table,
                                (sum, before) -> new TableRules(sum.table, sum.inForce, sum.written + before.written)))
                .toList();
        return new SyncResult(
                result, first.comparedAll || comparedAll, first.work.plus(work), totals, leftOut, rules, kept, emptied);
    }

    /**
     * The rules of one table of iptables.
     *
     * @param inForce own rules in the kernel
     * @param written rules written by this sync
     */
    public record TableRules(Table table, int inForce, int written) {
        /** The rules of all tables; numbers as in {@link RulesByTable}. */
        public static List<TableRules> of(long inForce, long written) {
            return Arrays.stream(Table.values())
                    .map(table ->
                            new TableRules(table, RulesByTable.in(table, inForce), RulesByTable.in(table, written)))
                    .toList();
        }
    }

    /** How a sync ended. */
    public sealed interface Result {
        /** The kernel holds what is wanted. */
        record InForce() implements Result {}

        /** Nothing that affects a packet was changed; the next sync compares in full. */
        record Refused(List<Refusal> refusals) implements Result {}

        /** Another program changed the rules meanwhile; the next sync compares in full. */
        record Outdated() implements Result {}

        /** The kernel could not be reached; the next sync compares in full. */
        record Unreachable(String reason) implements Result {}
    }

    /**
     * Totals.
     *
     * @param services with an address of the family
     * @param servicePorts their ports
     * @param endpoints of those ports, that serve: the ready ones, or the serving and terminating ones where none is ready
     * @param chains own chains in the kernel
     * @param rules own rules in the kernel
     */
    public record Totals(int services, int servicePorts, int endpoints, int chains, int rules) {}

    /** Whether another sync is needed soon even if nothing changes. */
    public boolean needsRetry() {
        return !(result instanceof Result.InForce);
    }
}
