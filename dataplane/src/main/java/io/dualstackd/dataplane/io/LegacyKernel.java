package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.counters.RuleCounters;
import io.dualstackd.dataplane.diff.KernelChains;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.diff.legacy.NumberedOp;
import io.dualstackd.dataplane.diff.legacy.NumberedTable;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.io.XtTableClient;
import io.dualstackd.netlink.io.XtablesLock;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.table.TableBlob;
import io.dualstackd.netlink.xt.table.XtTableCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The iptables tables of one family in iptables legacy. The kernel returns and replaces a table as a whole, so the cost of a
 * transaction grows with its tables, however small the change.
 */
public final class LegacyKernel implements Kernel {
    /** One check in this many reads everything; at one check per second that is the interval of kube-proxy. */
    private static final int THOROUGH_EVERY = 30;

    private final IpFamily family;
    private final Open open;
    private final XtablesLock lock;
    private final RuleCounters counters;
    private final Map<Table, NumberedTable.Lens> lenses = new EnumMap<>(Table.class);
    private long lastNumber;
    private int reads;

    private @Nullable XtTableClient client;
    private final Map<Table, NumberedTable> known = new EnumMap<>(Table.class);
    /** Whether nothing is known since a failure. */
    private boolean lost;

    /** Opens a socket of the family. */
    public interface Open {
        XtTableClient client() throws IOException;
    }

    /**
     * As {@link #LegacyKernel(IpFamily, LegacyEncoding, Predicate, Open, XtablesLock, RuleCounters)}, for rules whose counters are not
     * read.
     */
    public LegacyKernel(
            IpFamily family, LegacyEncoding encoding, Predicate<ChainId> interesting, Open open, XtablesLock lock) {
        this(family, encoding, interesting, open, lock, new RuleCounters(encoding::image));
    }

    /**
     * @param interesting chains whose rules are read, the built-in ones apart, which always are
     * @param lock taken for every change
     * @param counters notified of the rules that were written
     */
    LegacyKernel(
            IpFamily family,
            LegacyEncoding encoding,
            Predicate<ChainId> interesting,
            Open open,
            XtablesLock lock,
            RuleCounters counters) {
        this.family = family;
        this.open = open;
        this.lock = lock;
        this.counters = counters;
        for (Table table : Table.values()) {
            lenses.put(
                    table,
                    new NumberedTable.Lens(
                            chain -> chain.isBuiltIn() || interesting.test(new ChainId(table, chain.name())),
                            encoding::print,
                            () -> ++lastNumber));
        }
    }

    @Override
    public ReadResult<KernelChains> read() {
        return reading(() -> {
            Map<ChainId, List<KernelRule>> chains = new HashMap<>();
            known.forEach((table, numbered) ->
                    numbered.rows().forEach((chain, rows) -> chains.put(new ChainId(table, chain), rules(rows))));
            return new KernelChains(known.keySet(), chains);
        });
    }

    @Override
    public ReadResult<KernelChains> read(Set<ChainId> chains) {
        return reading(() -> {
            Map<ChainId, List<KernelRule>> found = new HashMap<>();
            for (ChainId chain : chains) {
                Optional.ofNullable(known.get(chain.table()))
                        .flatMap(table -> Optional.ofNullable(table.rows().get(chain.name())))
                        .ifPresent(rows -> found.put(chain, rules(rows)));
            }
            return new KernelChains(Set.of(), found);
        });
    }

    private ReadResult<KernelChains> reading(Supplier<KernelChains> selected) {
        try {
            readAll();
        } catch (IOException e) {
            disconnect();
            return new ReadResult.Failed<>(NetfilterAdvice.ofLegacy(e));
        }
        return new ReadResult.Found<>(selected.get());
    }

    private static List<KernelRule> rules(List<NumberedTable.Row> rows) {
        return rows.stream()
                .map(row -> new KernelRule(row.handle(), row.print()))
                .toList();
    }

    /** Reads only tables that exist: requesting another one would create it. */
    private void readAll() throws IOException {
        XtTableClient kernel = kernel();
        Set<Table> there = EnumSet.noneOf(Table.class);
        for (String name : kernel.tables()) {
            Table.named(name).ifPresent(there::add);
        }
        known.keySet().retainAll(there);
        for (Table table : there) {
            known.put(table, read(kernel, table));
        }
        lost = false;
    }

    /** The table as it is now; the same object as before when nothing has changed. */
    private NumberedTable read(XtTableClient kernel, Table table) throws IOException {
        TableBlob blob = kernel.read(table.toString());
        NumberedTable before = known.get(table);
        if (before != null && before.blob().saysTheSame(blob)) {
            return before;
        }
        NumberedTable.Lens lens = Objects.requireNonNull(lenses.get(table), "every table has a lens");
        try {
            return NumberedTable.of(blob, XtTableCodec.decode(blob), lens, Optional.ofNullable(before));
        } catch (DecodeException e) {
            throw new IOException("cannot read the table as iptables writes it: " + e.getMessage(), e);
        }
    }

    @Override
    public Batch begin() {
        List<NumberedOp> ops = new ArrayList<>();
        return new Batch() {
            @Override
            public void add(Op op) {
                ops.add(new NumberedOp(op, op instanceof Op.PlaceRule ? ++lastNumber : 0));
            }

            @Override
            public int size() {
                return ops.size();
            }

            @Override
            public Outcome commit() {
                try (XtablesLock.Held ignored = lock.take()) {
                    return counters.replacements().replace(() -> replace(ops));
                } catch (IOException e) {
                    disconnect();
                    return new Outcome.Unreachable(NetfilterAdvice.ofLegacy(e));
                }
            }
        };
    }

    private Outcome replace(List<NumberedOp> ops) throws IOException {
        Outcome outcome = new LegacyTransaction(family, kernel(), known, this::read).run(ops);
        if (outcome instanceof Outcome.Applied) {
            counters.placed(ops.stream().map(NumberedOp::op).toList());
        }
        return outcome;
    }

    /**
     * The kernel sends no notifications of changes and has no generations. The size of a table costs next to nothing and changes with
     * most changes, so it is compared every time; whole tables now and then. After a failure the answer is true until all has been read
     * again.
     */
    @Override
    public boolean changedByOthers() {
        if (lost) {
            return true;
        }
        boolean thoroughly = reads++ % THOROUGH_EVERY == 0;
        try {
            XtTableClient kernel = kernel();
            Set<String> there = kernel.tables();
            for (Table table : Set.copyOf(known.keySet())) {
                if (!there.contains(table.toString())
                        || ((thoroughly || !isOfKnownSize(kernel, table)) && changed(kernel, table))) {
                    reads = 0;
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            disconnect();
            return true;
        }
    }

    private boolean isOfKnownSize(XtTableClient kernel, Table table) throws IOException {
        NumberedTable before = known.get(table);
        return before != null
                && kernel.size(table.toString())
                        .equals(new XtTableClient.Size(
                                before.blob().count(), before.blob().size()));
    }

    private boolean changed(XtTableClient kernel, Table table) throws IOException {
        NumberedTable before = known.get(table);
        NumberedTable now = read(kernel, table);
        if (before == null || !before.looksLike(now)) {
            return true;
        }
        known.put(table, now);
        return false;
    }

    @Override
    public void close() {
        disconnect();
    }

    private XtTableClient kernel() throws IOException {
        XtTableClient opened = client;
        if (opened == null) {
            opened = open.client();
            client = opened;
        }
        return opened;
    }

    private void disconnect() {
        lost = true;
        known.clear();
        XtTableClient opened = client;
        client = null;
        if (opened != null) {
            opened.close();
        }
    }
}
