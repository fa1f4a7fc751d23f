package io.dualstackd.dataplane.churn;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.Fault;
import io.dualstackd.netlink.io.FaultyTransport;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Faults of the connection between a syncer and the kernel: errors, kills, and changes by others just before a batch. None until armed. */
final class InjectedFaults {
    /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
    private static final int BATCH_BEGIN = 0x10;

    /** Without false answers: nothing can be done about a kernel that reports ENOENT for an object that exists. */
    private static final List<Fault> FAULTS = List.of(
            new Fault.Overrun(),
            new Fault.Silence(),
            new Fault.CutOff(),
            new Fault.Interrupted(),
            new Fault.Failing(Errno.EINTR),
            new Fault.Failing(Errno.EBADF),
            new Fault.Failing(Errno.ENOBUFS),
            new Fault.Refusing(Errno.ERESTART),
            new Fault.Refusing(Errno.ENOBUFS),
            new Fault.Refusing(Errno.EINTR),
            new Fault.Refusing(Errno.ENOMEM),
            new Fault.Refusing(Errno.EPERM));

    private static final int NEVER = -1;

    private final NetNs ns;
    private final Random random;
    private int faultsLeft;
    private int callsToFault;
    private int callsToKill = NEVER;
    private Runnable beforeBatch = () -> {};

    /** Ends the syncer at once, as kill -9 would: no code after it runs. */
    @SuppressWarnings("serial") // never leaves the test
    static final class Killed extends Error {
        Killed() {
            super("kill -9", null, false, false);
        }
    }

    InjectedFaults(NetNs ns, Random random) {
        this.ns = ns;
        this.random = random;
    }

    NlTransport open() throws NetlinkException {
        return new FaultyConnection(new FaultyTransport(NlSocket.open(NlProtocol.NETFILTER, ns), this::fault));
    }

    void clear() {
        faultsLeft = 0;
        callsToKill = NEVER;
        beforeBatch = () -> {};
    }

    /** Arms up to three faults within the next calls: a small change takes a few calls, a full read hundreds. */
    void failSoon() {
        faultsLeft = 1 + random.nextInt(3);
        callsToFault = soon();
    }

    void killSoon() {
        callsToKill = soon();
    }

    /** Runs an action just before the next transaction is sent. */
    void beforeNextBatch(Runnable action) {
        beforeBatch = action;
    }

    private int soon() {
        return random.nextInt(random.nextInt(3) == 0 ? 150 : 4);
    }

    private Optional<Fault> fault() {
        if (faultsLeft == 0 || callsToFault-- > 0) {
            return Optional.empty();
        }
        faultsLeft--;
        callsToFault = soon();
        return Optional.of(FAULTS.get(random.nextInt(FAULTS.size())));
    }

    private void countCall() {
        if (callsToKill != NEVER && callsToKill-- == 0) {
            throw new Killed();
        }
    }

    private final class FaultyConnection implements NlTransport {
        private final NlTransport inner;

        FaultyConnection(NlTransport inner) {
            this.inner = inner;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            countCall();
            if (writer.message(0).type() == BATCH_BEGIN) {
                Runnable action = beforeBatch;
                beforeBatch = () -> {};
                action.run();
            }
            inner.send(writer);
            countCall();
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            countCall();
            return inner.receive(timeout);
        }

        @Override
        public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
            inner.listen(group, wanted, receiveBuffer);
        }

        @Override
        public int portId() {
            return inner.portId();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
