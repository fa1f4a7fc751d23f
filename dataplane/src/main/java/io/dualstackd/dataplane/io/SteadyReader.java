package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.Errno;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rules of one family while other programs change other rules. The kernel counts one generation for the whole namespace, so
 * reading at one generation is tried once; after that, a reading counts when the notifications received meanwhile show that no rule of
 * dualstackd was changed. The subscription lasts until {@link #done}, so that a batch that relies on the reading can be sent again and
 * again while only others change. Used by one thread.
 */
final class SteadyReader implements AutoCloseable {
    /** Readings in a row during which rules of dualstackd were changed, before one of them is taken as it is. */
    private static final int ATTEMPTS = 3;

    private static final NftClient.Bystander IMPATIENT = new NftClient.Bystander() {
        @Override
        public void read(boolean interrupted) throws NetlinkException {
            if (interrupted) {
                throw new NetlinkException.DumpInterrupted("read nf_tables", 1);
            }
        }

        @Override
        public boolean chainsMoved() {
            return true;
        }
    };

    private final NetlinkKernel.Open open;
    private final OwnedObjects ours;
    private final IpFamily family;
    private @Nullable ForeignNotifications notifications;
    private boolean busy;

    /**
     * What was read.
     *
     * @param generation of the rule set; no rule of dualstackd was changed between it and the reading
     * @param certain false when rules of dualstackd were changed during every attempt, so that parts may be of different ages; then
     *     {@code generation} is that before the last attempt
     */
    record Steady<T>(T value, int generation, boolean certain) {}

    /** @param ours decides which changes concern what is read */
    public SteadyReader(NetlinkKernel.Open open, OwnedObjects ours, IpFamily family) {
        this.open = open;
        this.ours = ours;
        this.family = family;
    }

    public <T> Steady<T> read(NftClient kernel, NftClient.Reading<T> how) throws NetlinkException {
        if (!busy) {
            Optional<Steady<T>> undisturbed = inPeace(kernel, how);
            if (undisturbed.isPresent()) {
                return undisturbed.get();
            }
        }
        busy = false;
        try {
            return listening(kernel, how);
        } catch (UnsupportedOperationException e) {
            NftClient.Snapshot<T> snapshot = kernel.consistently(how);
            return new Steady<>(snapshot.value(), snapshot.generation().id(), true);
        }
    }

    private static <T> Optional<Steady<T>> inPeace(NftClient kernel, NftClient.Reading<T> how) throws NetlinkException {
        int before = kernel.generation().id();
        try {
            T value = kernel.beside(IMPATIENT, how);
            return kernel.generation().id() == before
                    ? Optional.of(new Steady<>(value, before, true))
                    : Optional.empty();
        } catch (NetlinkException.DumpInterrupted e) {
            return Optional.empty();
        } catch (NetlinkException.Refused e) {
            if (vanished(e) && kernel.generation().id() != before) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> Steady<T> listening(NftClient kernel, NftClient.Reading<T> how) throws NetlinkException {
        for (int attempt = 1; ; attempt++) {
            ForeignNotifications listening = listen(kernel.portId());
            int before = kernel.generation().id();
            listening.startFrom(before);
            try {
                T value = kernel.beside(listening, how);
                int after = kernel.generation().id();
                listening.catchUp(after);
                if (!listening.touched() && !listening.lost()) {
                    return new Steady<>(value, after, true);
                }
                if (attempt == ATTEMPTS) {
                    return new Steady<>(value, before, false);
                }
            } catch (NetlinkException.Refused e) {
                if (!vanished(e) || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Whether a listed object was gone when it was read. */
    private static boolean vanished(NetlinkException.Refused refused) {
        return refused.errno().equals(Errno.ENOENT);
    }

    /** Whether a refusal may be due to a reading that was not {@linkplain Steady#certain certain}. */
    public static boolean mayBeOutdated(NftOutcome.Refused refused) {
        return refused.problems().stream()
                .map(problem -> problem.refusal().errno())
                .anyMatch(
                        errno -> errno.equals(Errno.ENOENT) || errno.equals(Errno.EEXIST) || errno.equals(Errno.EBUSY));
    }

    private ForeignNotifications listen(int portId) throws NetlinkException {
        ForeignNotifications open = notifications;
        if (open == null || open.lost()) {
            done();
            open = ForeignNotifications.listen(this.open, portId, ours, family);
            notifications = open;
        }
        return open;
    }

    /** Whether there is a subscription to notifications since the last reading. */
    public boolean isListening() {
        return notifications != null;
    }

    /** The current generation, if it is known that no rule of dualstackd has changed since the last reading. */
    public OptionalInt unchanged(NftClient kernel) throws NetlinkException {
        ForeignNotifications listening = notifications;
        if (listening == null) {
            return OptionalInt.empty();
        }
        int now = kernel.generation().id();
        listening.catchUp(now);
        return listening.touched() || listening.lost() ? OptionalInt.empty() : OptionalInt.of(now);
    }

    /** Records that the last reading was outdated before it was used, so that the next one subscribes from its start. */
    public void outdated() {
        busy = true;
    }

    /** Ends the subscription: nothing more will be done that relies on what was read. */
    public void done() {
        ForeignNotifications open = notifications;
        notifications = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        done();
    }
}
