package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;

/** Another program that adds and deletes chains and rules of its own, in a table of its own or a shared one. */
final class OtherProgram implements AutoCloseable {
    private final NftClient client;
    private final TableName table;
    private final String builtIn;
    private int commits;

    /** @param builtIn chain of that table, into which it puts rules, too; empty for none */
    OtherProgram(NetNs ns, String table, String builtIn) throws NetlinkException {
        this.client = NftClient.open(ns);
        this.table = new TableName(NftFamily.IP, table);
        this.builtIn = builtIn;
        apply(NftBatch.begin().add(NftTable.of(this.table)).add(NftChain.of(this.table.chain("CNI-0"))));
    }

    /** As a network plug-in does for each pod: one more chain with a rule, and one less. */
    void commit() {
        String gone = "CNI-" + commits++;
        NftChain next = NftChain.of(table.chain("CNI-" + commits));
        NftBatch batch = NftBatch.begin().add(next).append(NftRule.of(next.name(), Counter.ZERO));
        if (!builtIn.isEmpty() && commits % 10 == 0) {
            VerdictExpr jump = new VerdictExpr(new Verdict.Jump("CNI-TO-STAY"));
            batch.add(NftChain.of(table.chain("CNI-TO-STAY")))
                    .prepend(NftRule.of(table.chain(builtIn), Counter.ZERO, jump));
        }
        apply(batch.flush(table.chain(gone)).delete(table.chain(gone)));
    }

    int commits() {
        return commits;
    }

    private void apply(NftBatch batch) {
        assertThat(client.apply(batch)).isInstanceOf(NftOutcome.Applied.class);
    }

    @Override
    public void close() {
        client.close();
    }

    /** A transport that counts the bytes received, and runs an action every so many datagrams and before every batch. */
    static final class Interleaved implements NlTransport {
        /** {@code NFNL_MSG_BATCH_BEGIN}, the type of a batch's first message. */
        private static final int BATCH_BEGIN = 0x10;

        private final NlTransport inner;
        private final Meter meter;

        Interleaved(NlTransport inner, Meter meter) {
            this.inner = inner;
            this.meter = meter;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            if (writer.message(0).type() == BATCH_BEGIN) {
                meter.action.run();
            }
            inner.send(writer);
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            if (++meter.received % meter.every == 0) {
                meter.action.run();
            }
            Arrival arrival = inner.receive(timeout);
            if (arrival instanceof Arrival.Messages arrived) {
                arrived.messages().forEach(message -> meter.bytes += message.length());
            }
            return arrival;
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

    /** What was received, and the action that runs meanwhile. For one thread. */
    static final class Meter {
        long bytes;
        private long received;
        private long every = Long.MAX_VALUE;
        private Runnable action = () -> {};

        /** Runs the action after so many datagrams from now. */
        void after(int datagrams, Runnable action) {
            received = 0;
            every(datagrams, action);
        }

        void every(int datagrams, Runnable action) {
            every = datagrams;
            this.action = action;
        }
    }
}
