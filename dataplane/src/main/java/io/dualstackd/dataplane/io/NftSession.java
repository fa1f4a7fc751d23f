package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The socket over which one reconciler reads and changes rules, opened when it is needed, and the generation of the rule set up to which
 * all changes to its rules are known. Used by one thread.
 */
final class NftSession {
    /** How often an outdated batch is sent again while no rule of dualstackd has changed. */
    private static final int SEND_ATTEMPTS = 20;

    private final NetlinkKernel.Open open;
    private final SteadyReader reader;
    private final SeenGeneration seen;
    private final RuleSetGate ruleSetGate;
    private @Nullable NftClient client;
    /** Whether a transaction was sent whose answer is not known. */
    private boolean unanswered;

    /**
     * @param ours decides which changes concern what is read
     * @param generations shared with whatever else accounts for changes in this namespace
     * @param ruleSetGate shared with the other reconcilers of this namespace
     */
    NftSession(
            NetlinkKernel.Open open,
            OwnedObjects ours,
            IpFamily family,
            Generations generations,
            RuleSetGate ruleSetGate) {
        this.open = open;
        this.reader = new SteadyReader(open, ours, family);
        this.seen = new SeenGeneration(generations);
        this.ruleSetGate = ruleSetGate;
    }

    SteadyReader reader() {
        return reader;
    }

    SeenGeneration seen() {
        return seen;
    }

    /** Requests to the kernel. */
    @FunctionalInterface
    interface Work<T> {
        T run(NftClient kernel) throws NetlinkException;
    }

    /** Runs the work; when it fails, the socket is closed, and the next work opens another one. */
    <T> T call(Work<T> work, Function<NetlinkException, T> failed) {
        try {
            return work.run(kernel());
        } catch (NetlinkException e) {
            disconnect();
            return failed.apply(e);
        } catch (RuntimeException | Error e) {
            // The dump it was in has not been read to its end, and the kernel allows one at a time.
            disconnect();
            throw e;
        }
    }

    /** Reads all rules while no other reconciler changes any; all changes up to then are known. */
    <T> SteadyReader.Steady<T> read(NftClient kernel, NftClient.Reading<T> how) throws NetlinkException {
        SteadyReader.Steady<T> reading = readSome(kernel, how);
        seen.know(reading.generation());
        if (unanswered) {
            unanswered = false;
            seen.restart();
        }
        return reading;
    }

    /** Reads some rules while no other reconciler changes any; changes to others may still be unknown. */
    <T> SteadyReader.Steady<T> readSome(NftClient kernel, NftClient.Reading<T> how) throws NetlinkException {
        return ruleSetGate.reading(() -> reader.read(kernel, how));
    }

    /** As {@link #commit}, beside other changes but not while another reconciler reads. */
    NftOutcome commitInTurn(NftBatch batch, Work<OptionalInt> unchanged, boolean certain) {
        return ruleSetGate.changing(() -> commit(batch, unchanged, certain));
    }

    /**
     * Applies a batch. The kernel counts generations of all rules of the namespace, so changes of other programs to their rules outdate
     * a batch. While what was read is unchanged, the batch is still right and is sent again instead of being rebuilt.
     *
     * @param unchanged called when the batch is outdated: the current generation, if what the batch relies on is as it was read
     * @param certain false when parts of what the batch relies on may be of different ages; then it may be refused because of that
     */
    NftOutcome commit(NftBatch batch, Work<OptionalInt> unchanged, boolean certain) {
        NftOutcome result = call(
                kernel -> {
                    NftOutcome outcome = send(kernel, batch, unchanged);
                    switch (outcome) {
                        case NftOutcome.Applied applied ->
                            applied.generation().ifPresent(now -> seen.committed(now.id()));
                        case NftOutcome.Unreachable ignored -> disconnect();
                        case NftOutcome.Outdated ignored -> reader.outdated();
                        case NftOutcome.Refused refused -> {
                            if (!certain && SteadyReader.mayBeOutdated(refused)) {
                                return new NftOutcome.Outdated();
                            }
                        }
                    }
                    return outcome;
                },
                NftOutcome.Unreachable::new);
        unanswered |= result instanceof NftOutcome.Unreachable;
        return result;
    }

    /** Sends a batch that the kernel is certain to refuse; its refusal says nothing about what was read. */
    NftOutcome commitDryRun(NftBatch batch) {
        return call(
                kernel -> {
                    NftOutcome outcome = kernel.apply(batch);
                    if (outcome instanceof NftOutcome.Unreachable) {
                        disconnect();
                    }
                    return outcome;
                },
                NftOutcome.Unreachable::new);
    }

    /** Applies a batch, and again while it is only outdated by changes of others; {@code unchanged} as in {@link #commit}. */
    static NftOutcome send(NftClient kernel, NftBatch batch, Work<OptionalInt> unchanged) throws NetlinkException {
        NftOutcome outcome = kernel.apply(batch);
        for (int again = 1; outcome instanceof NftOutcome.Outdated && again <= SEND_ATTEMPTS; again++) {
            OptionalInt now = unchanged.run(kernel);
            if (now.isEmpty()) {
                break;
            }
            // The last attempt is not tied to a generation: what others change in between is received, or found at
            // the next check.
            batch.renew(again == SEND_ATTEMPTS ? 0 : now.getAsInt());
            outcome = kernel.apply(batch);
        }
        return outcome;
    }

    /** Whether there may be changes by others without a notification; also true when the kernel cannot be asked. */
    boolean changedByOthers() {
        return call(kernel -> seen.changedByOthers(kernel.generation().id()), failed -> true);
    }

    private NftClient kernel() throws NetlinkException {
        NftClient known = client;
        if (known == null) {
            known = new NftClient(new NetlinkConnection(open.transport()));
            client = known;
        }
        return known;
    }

    void disconnect() {
        reader.done();
        NftClient known = client;
        if (known != null) {
            known.close();
            client = null;
        }
    }
}
