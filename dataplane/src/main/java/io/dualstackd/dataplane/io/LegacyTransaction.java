package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.Outcome.Refusal;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.diff.legacy.NumberedOp;
import io.dualstackd.dataplane.diff.legacy.NumberedTable;
import io.dualstackd.dataplane.diff.legacy.TableEdit;
import io.dualstackd.dataplane.diff.legacy.TableOrder;
import io.dualstackd.dataplane.diff.legacy.TableOrder.Stage;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.XtMatch;
import io.dualstackd.netlink.xt.XtStruct;
import io.dualstackd.netlink.xt.XtTarget;
import io.dualstackd.netlink.xt.table.Replacement;
import io.dualstackd.netlink.xt.table.XtEntry;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One transaction, under the lock: every table is read again, since other programs replace whole tables; the steps are applied to what
 * was read; tables take effect one by one, and when one is refused those before it are restored.
 */
final class LegacyTransaction {
    private final IpFamily family;
    private final XtTableClient kernel;
    private final Map<Table, NumberedTable> known;
    private final TableReader reader;
    private final List<Replacement> written = new ArrayList<>();

    interface TableReader {
        NumberedTable at(XtTableClient kernel, Table table) throws IOException;
    }

    /** @param known the tables as last known; replaced by what was written once all is in force */
    LegacyTransaction(IpFamily family, XtTableClient kernel, Map<Table, NumberedTable> known, TableReader reader) {
        this.family = family;
        this.kernel = kernel;
        this.known = known;
        this.reader = reader;
    }

    Outcome run(List<NumberedOp> ops) throws IOException {
        List<Stage> stages = TableOrder.of(ops);
        Map<Table, NumberedTable> now = new EnumMap<>(Table.class);
        for (Stage stage : stages) {
            Table table = stage.table();
            if (!now.containsKey(table)) {
                try {
                    now.put(table, reader.at(kernel, table));
                } catch (SysException e) {
                    return unreadable(e, stage);
                }
                if (!isAsBelieved(table, now)) {
                    return new Outcome.Outdated();
                }
            }
        }
        for (Stage stage : stages) {
            Optional<Outcome> failed;
            try {
                failed = put(stage, now);
            } catch (IOException e) {
                putBackAfter(e);
                throw e;
            }
            if (failed.isPresent()) {
                putBack();
                return failed.get();
            }
        }
        known.putAll(now);
        List<Long> handles = ops.stream()
                .filter(op -> op.op() instanceof Op.PlaceRule)
                .map(NumberedOp::number)
                .toList();
        long bytes = written.stream().mapToLong(one -> one.blob().size()).sum();
        return new Outcome.Applied(handles, written.size(), bytes);
    }

    private Outcome unreadable(SysException e, Stage stage) throws SysException {
        if (e.errno().equals(Errno.EAGAIN)) {
            return new Outcome.Outdated();
        }
        if (NetfilterAdvice.isMissingTable(e)) {
            return new Outcome.Refused(List.of(new Refusal(
                    Optional.of(stage.ops().getFirst().op().origin()),
                    NetfilterAdvice.ofLegacy(e, stage.table(), family))));
        }
        if (e.errno().equals(Errno.EPERM)) {
            return new Outcome.Refused(List.of(new Refusal(Optional.empty(), NetfilterAdvice.ofLegacy(e))));
        }
        // Such as too little memory: no Service is to blame.
        throw e;
    }

    private boolean isAsBelieved(Table table, Map<Table, NumberedTable> now) {
        NumberedTable before = known.get(table);
        NumberedTable there = now.get(table);
        return there != null && (before == null ? there.isBare() : before.looksLike(there));
    }

    private Optional<Outcome> put(Stage stage, Map<Table, NumberedTable> now) throws IOException {
        NumberedTable base = now.get(stage.table());
        if (base == null) {
            throw new IllegalStateException("every table was looked at: " + stage.table());
        }
        return switch (TableEdit.apply(base, stage.ops())) {
            case TableEdit.Result.Refused(List<Refusal> refusals) -> Optional.of(new Outcome.Refused(refusals));
            case TableEdit.Result.Done done -> {
                Replacement replacement;
                try {
                    replacement = XtTableCodec.encode(done.table(), base.blob());
                } catch (XtTableCodec.NoSuchChain e) {
                    throw new IllegalStateException("refused before it is encoded", e);
                }
                try {
                    kernel.replace(replacement);
                } catch (XtTableClient.CountersLost e) {
                    // In force nevertheless, so it is restored with those before it.
                    written.add(replacement);
                    throw e;
                } catch (SysException e) {
                    yield Optional.of(refused(e, stage));
                }
                written.add(replacement);
                now.put(stage.table(), asWritten(replacement, done));
                yield Optional.empty();
            }
        };
    }

    private static NumberedTable asWritten(Replacement replacement, TableEdit.Result.Done done) {
        try {
            return NumberedTable.written(replacement.blob(), XtTableCodec.decode(replacement.blob()), done.rows());
        } catch (DecodeException e) {
            throw new IllegalStateException("a table of ours does not decode", e);
        }
    }

    /** The kernel does not report which rule it refused; mostly it is one with an extension that it lacks. */
    private Outcome refused(SysException e, Stage stage) throws IOException {
        if (e.errno().equals(Errno.EAGAIN)) {
            return new Outcome.Outdated();
        }
        Map<XtStruct, Boolean> matches = new HashMap<>();
        Map<XtStruct, Boolean> targets = new HashMap<>();
        List<Refusal> refusals = new ArrayList<>();
        for (NumberedOp op : stage.ops()) {
            Optional<XtEntry> entry = entry(op.op());
            if (entry.isPresent()) {
                Optional<XtStruct> lacking = lacking(entry.get(), matches, targets);
                lacking.ifPresent(extension -> refusals.add(new Refusal(
                        Optional.of(op.op().origin()),
                        e.getMessage() + "; this kernel has no extension " + extension + " for " + family + ": load xt_"
                                + extension.name())));
            }
        }
        return new Outcome.Refused(
                refusals.isEmpty() ? List.of(new Refusal(Optional.empty(), NetfilterAdvice.ofLegacy(e))) : refusals);
    }

    private static Optional<XtEntry> entry(Op op) {
        RuleImage image = switch (op) {
            case Op.AppendRule append -> append.rule();
            case Op.PlaceRule place -> place.rule();
            default -> null;
        };
        return image instanceof RuleImage.Entry entry ? Optional.of(entry.entry()) : Optional.empty();
    }

    private Optional<XtStruct> lacking(XtEntry entry, Map<XtStruct, Boolean> matches, Map<XtStruct, Boolean> targets)
            throws IOException {
        for (XtMatch match : entry.matches()) {
            Boolean knows = matches.get(match.struct());
            if (knows == null) {
                knows = kernel.knowsMatch(match.struct());
                matches.put(match.struct(), knows);
            }
            if (!knows) {
                return Optional.of(match.struct());
            }
        }
        Optional<XtStruct> target = entry.target(family).map(XtTarget::struct);
        if (target.isPresent()) {
            Boolean knows = targets.get(target.get());
            if (knows == null) {
                knows = kernel.knowsTarget(target.get());
                targets.put(target.get(), knows);
            }
            return knows ? Optional.empty() : target;
        }
        return Optional.empty();
    }

    private void putBackAfter(IOException reason) {
        try {
            putBack();
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** @throws IOException when that fails, so that what is in force counts as unknown */
    private void putBack() throws IOException {
        Optional<XtTableClient.CountersLost> lost = Optional.empty();
        for (Replacement one : written.reversed()) {
            try {
                kernel.replace(one.undo());
            } catch (XtTableClient.CountersLost e) {
                lost = Optional.of(e);
            }
        }
        if (lost.isPresent()) {
            throw lost.get();
        }
    }
}
