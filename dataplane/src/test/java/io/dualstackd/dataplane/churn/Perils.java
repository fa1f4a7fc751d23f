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

/** What can happen between a pass and the kernel; nothing does until something is armed. */
final class Perils {
    /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
    private static final int BATCH_BEGIN = 0x10;

    /** No lies: a kernel that says ENOENT of what is there cannot be served. */
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
    private int callsToDeath = NEVER;
    private Runnable intrusion = () -> {};

    /** The process ends here and now: nothing behind it runs. */
    @SuppressWarnings("serial") // never leaves the test
    static final class Killed extends Error {
        Killed() {
            super("kill -9", null, false, false);
        }
    }

    Perils(NetNs ns, Random random) {
        this.ns = ns;
        this.random = random;
    }

    NlTransport open() throws NetlinkException {
        return new Perilous(new FaultyTransport(NlSocket.open(NlProtocol.NETFILTER, ns), this::fault));
    }

    void calm() {
        faultsLeft = 0;
        callsToDeath = NEVER;
        intrusion = () -> {};
    }

    /** Some trouble soon: few calls make a small change, hundreds read everything. */
    void trouble() {
        faultsLeft = 1 + random.nextInt(3);
        callsToFault = soon();
    }

    void death() {
        callsToDeath = soon();
    }

    /** Somebody changes something in the moment before the next transaction. */
    void intrusion(Runnable what) {
        intrusion = what;
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

    private void live() {
        if (callsToDeath != NEVER && callsToDeath-- == 0) {
            throw new Killed();
        }
    }

    private final class Perilous implements NlTransport {
        private final NlTransport inner;

        Perilous(NlTransport inner) {
            this.inner = inner;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            live();
            if (writer.message(0).type() == BATCH_BEGIN) {
                Runnable happens = intrusion;
                intrusion = () -> {};
                happens.run();
            }
            inner.send(writer);
            live();
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            live();
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
