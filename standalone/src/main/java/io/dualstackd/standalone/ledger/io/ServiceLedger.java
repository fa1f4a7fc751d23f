package io.dualstackd.standalone.ledger.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.ledger.DryRunResult;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.EntryRefusal;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.Ledger;
import io.dualstackd.standalone.ledger.LedgerChange;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.LedgerView;
import io.dualstackd.standalone.ledger.RefusalProblems;
import io.dualstackd.standalone.manifest.AdmissionStage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Services their addresses and node ports where there is no control plane, and writes them to disk before it returns them.
 *
 * <p>Used by the thread that reads manifests, except {@link #view}.
 */
public final class ServiceLedger implements AdmissionStage, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("ledger");

    private final Journal journal;
    private final Ledger ledger;
    private final InstantSource clock;
    private Optional<String> problem = Optional.empty();
    private boolean begun;
    /** Objects admitted in an earlier run that may be in a file that cannot be decoded. */
    private Optional<Set<ObjectKey>> unclaimed = Optional.empty();

    private volatile Figures figures;

    /** The data for reports, other than entries. */
    private record Figures(
            List<LedgerView.Waiting> waiting,
            List<Event> events,
            List<AddressPool.Fill> ranges,
            LedgerFigures numbers) {}

    private ServiceLedger(Journal journal, Ledger ledger, InstantSource clock) {
        this.journal = journal;
        this.ledger = ledger;
        this.clock = clock;
        this.figures = figuresNow();
    }

    /**
     * Reads what was left on disk.
     *
     * @param state folder that the daemon may write to
     * @throws LedgerMismatch when what was left does not match the settings
     * @throws LedgerDamaged when it cannot be read
     * @throws IOException when it is in use by another process
     */
    public static ServiceLedger open(Path state, LedgerSettings settings) throws IOException {
        return open(
                Journal.open(Journal.folderIn(state)),
                settings,
                RandomGenerator.of("SecureRandom"),
                InstantSource.system());
    }

    static ServiceLedger open(Journal journal, LedgerSettings settings, RandomGenerator random, InstantSource clock)
            throws IOException {
        journal.cut().ifPresent(what -> LOG.warn("the ledger was truncated: {}", what));
        List<Entry> entries = journal.entries();
        try {
            LedgerMismatch.check(settings, entries, journal.file());
        } catch (LedgerMismatch e) {
            journal.close();
            throw e;
        }
        LOG.info("ledger read file={} entries={} batch={}", journal.file(), entries.size(), journal.batch());
        return new ServiceLedger(journal, new Ledger(settings, random, entries), clock);
    }

    @Override
    public List<Update> admit(List<Update> updates) {
        List<Update> inForce = new ArrayList<>();
        if (!begun) {
            begun = true;
            journal.entries()
                    .forEach(entry -> inForce(new LedgerChange.Put(entry)).ifPresent(inForce::add));
        }
        updates.stream().filter(update -> !Ledger.isOurs(update.key())).forEach(inForce::add);
        inForce.addAll(write(updates));
        return inForce;
    }

    @Override
    public List<Update> retain(Predicate<ObjectKey> claimed) {
        Set<ObjectKey> open = unclaimed.orElseGet(() -> Set.copyOf(ledger.unsaid(key -> false)));
        Set<ObjectKey> gone = new HashSet<>(open);
        gone.removeIf(claimed);
        Set<ObjectKey> left = new HashSet<>(open);
        left.removeAll(gone);
        left.removeIf(key -> ledger.find(key).isEmpty());
        unclaimed = Optional.of(left);
        return gone.isEmpty()
                ? List.of()
                : write(gone.stream().<Update>map(Update.Gone::new).toList());
    }

    private List<Update> write(List<Update> updates) {
        Instant now = clock.instant();
        List<LedgerChange> changes = ledger.admit(updates, now, journal.batch() + 1);
        // Without changes, it shows whether writing works again: what could not be written may not be wanted any more.
        if (!changes.isEmpty() || problem.isPresent()) {
            try {
                journal.write(changes);
                works();
            } catch (IOException e) {
                failed(e);
                if (!changes.isEmpty()) {
                    ledger.rollback();
                    ledger.note(updates);
                    ledger.commit();
                    figures = figuresNow();
                    return List.of();
                }
            }
        }
        ledger.commit();
        figures = figuresNow();
        return changes.stream()
                .flatMap(ledgerChange -> inForce(ledgerChange).stream())
                .toList();
    }

    /**
     * Returns the result of the updates; nothing is allocated or written. Called on the thread that admits objects.
     *
     * @return one for each object that a ledger admits
     */
    public List<DryRunResult> judge(List<Update> updates) {
        return ledger.judge(updates, clock.instant(), journal.batch() + 1);
    }

    /** False when the ledger was lost and cannot be written: without a Service, the rules of all that were in force would be removed. */
    @Override
    public boolean isReady() {
        return problem.isEmpty() || !journal.entries().isEmpty();
    }

    @Override
    public boolean isGenerated(ObjectKey key) {
        return key.kind() == ObjectKey.Kind.SERVICE_CIDR
                && ledger.find(key)
                        .filter(entry -> entry instanceof Entry.CidrEntry cidr && !cidr.written())
                        .isPresent();
    }

    @Override
    public Optional<Tree.Mapping> recorded(ObjectKey key) {
        return ledger.find(key)
                .flatMap(entry ->
                        entry instanceof Entry.ServiceEntry service ? Optional.of(service.object()) : Optional.empty());
    }

    @Override
    public List<Update> wouldPut(List<Update> updates) {
        List<Update> puts = new ArrayList<>();
        for (DryRunResult dryRunResult : judge(updates)) {
            if (dryRunResult instanceof DryRunResult.Accepted accepted) {
                accepted.after()
                        .map(LedgerChange.Put::new)
                        .flatMap(ServiceLedger::inForce)
                        .or(() -> Optional.of(new Update.Gone(accepted.key())))
                        .ifPresent(puts::add);
            }
        }
        return puts;
    }

    @Override
    public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
        Map<ObjectKey, EntryRefusal> refused = new TreeMap<>();
        for (DryRunResult dryRunResult : judge(updates)) {
            if (dryRunResult instanceof DryRunResult.Refused(ObjectKey key, EntryRefusal entryRefusal)) {
                // It is not in a file, so it will not be tried again.
                refused.put(key, new EntryRefusal(entryRefusal.rejections(), false));
            }
        }
        List<Problem> problems = new ArrayList<>(RefusalProblems.of(refused, places));
        problems.addAll(writeProblems());
        return problems;
    }

    private void failed(IOException e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        if (!problem.equals(Optional.of(why))) {
            LOG.error(
                    "the ledger cannot be written file={} reason=\"{}\" next=\"nothing is allocated or released, what is in force stays; "
                            + "tried again every few seconds\"",
                    journal.file(),
                    why);
        }
        problem = Optional.of(why);
    }

    private void works() {
        if (problem.isPresent()) {
            LOG.info("the ledger can be written again file={}", journal.file());
            problem = Optional.empty();
        }
    }

    private static Optional<Update> inForce(LedgerChange ledgerChange) {
        return switch (ledgerChange) {
            case LedgerChange.Put(Entry.ServiceEntry entry) -> {
                Decoded decoded = Manifests.decodeStored(entry.object());
                if (decoded.objects().isEmpty()) {
                    LOG.error("stored Service cannot be read, it is left out: {}", decoded.problems());
                }
                yield decoded.objects().stream()
                        .findFirst()
                        .map(locatedObject -> new Update.Put(locatedObject.object()));
            }
            case LedgerChange.Put(Entry.CidrEntry entry) ->
                Optional.of(new Update.Put(new ServiceCidr(entry.key().name(), entry.cidrs())));
            case LedgerChange.Put(Entry.AddressEntry ignored) -> Optional.empty();
            // The reconcilers do not need the owner of an address.
            case LedgerChange.Gone(ObjectKey key) ->
                key.kind() == ObjectKey.Kind.IP_ADDRESS ? Optional.empty() : Optional.of(new Update.Gone(key));
        };
    }

    @Override
    public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
        List<Problem> problems = new ArrayList<>(writeProblems());
        problems.addAll(RefusalProblems.of(ledger.refused(), places));
        return problems;
    }

    private List<Problem> writeProblems() {
        return problem.stream()
                .map(
                        why -> Problem.error(
                                Place.InFile.whole(journal.file().toString()),
                                "",
                                "cannot be written: " + why
                                        + "; nothing is allocated or released until it can, what is in force stays; tried again every few seconds"))
                .toList();
    }

    private Figures figuresNow() {
        return new Figures(ledger.waiting(), ledger.events(clock.instant()), ledger.ranges(), ledger.figures());
    }

    /** The ledger as it is on disk. May be called from any thread. */
    public LedgerView view() {
        Figures now = figures;
        return new LedgerView(journal.entries(), now.waiting(), now.events(), now.ranges());
    }

    /** May be called from any thread. */
    public LedgerFigures figures() {
        return figures.numbers();
    }

    @Override
    public void close() {
        journal.close();
    }
}
