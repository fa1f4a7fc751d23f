package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** nf_tables batches against the running kernel, in a namespace of its own, with {@code nft} as the reference. */
@Tag("kernel")
class BatchTest {
    private static final int BATCH_BEGIN = 0x10;
    private static final int BATCH_END = 0x11;
    private static final int NFT_SUBSYSTEM = 10;
    private static final int NEWTABLE = NFT_SUBSYSTEM << 8;
    private static final int DELTABLE = NFT_SUBSYSTEM << 8 | 2;
    private static final int NEWCHAIN = NFT_SUBSYSTEM << 8 | 3;
    private static final int NEWRULE = NFT_SUBSYSTEM << 8 | 6;
    private static final int NFPROTO_IPV4 = 2;

    private static final Attr.U32be GENERATION = new Attr.U32be(1, "NFNL_BATCH_GENID");
    private static final Attr.Text TABLE_NAME = new Attr.Text(1, "NFTA_TABLE_NAME");
    private static final Attr.Text RULE_CHAIN = new Attr.Text(2, "NFTA_RULE_CHAIN");
    private static final Attr.Text CHAIN_NAME = new Attr.Text(3, "NFTA_CHAIN_NAME");

    private NetNs ns;
    private NetlinkConnection kernel;

    @BeforeEach
    void open() throws Exception {
        ns = FreshNetNs.create();
        kernel = new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns));
    }

    @AfterEach
    void close() {
        kernel.close();
        ns.close();
    }

    @Test
    void acceptedOneIsInForceAndEchoed() throws Exception {
        BatchAnswer answer = send(
                w -> {},
                new Step(NEWTABLE, NlFlags.CREATE | NlFlags.ECHO, "a"),
                new Step(NEWTABLE, NlFlags.CREATE, "b"));
        assertThat(answer.refusals()).isEmpty();
        assertThat(answer.echoes()).extracting(NlMessage::type).contains(NEWTABLE);
        assertThat(tables()).contains("table ip a", "table ip b");
    }

    @Test
    void everyBadMessageIsNamedAndNothingIsDone() throws Exception {
        BatchAnswer answer = send(
                w -> {},
                new Step(NEWTABLE, NlFlags.CREATE, "a"),
                new Step(DELTABLE, 0, "missing"),
                new Step(NEWTABLE, NlFlags.CREATE, "b"),
                new Step(DELTABLE, 0, "missing-too"),
                new Step(NEWTABLE, NlFlags.CREATE, "c"));
        assertThat(answer.refusals()).extracting(Refusal::sequence).containsExactly(3, 5);
        assertThat(answer.refusals()).extracting(Refusal::errno).containsOnly(Errno.ENOENT);
        // The attribute that names the table follows the headers of 16 and 4 bytes.
        assertThat(answer.refusals())
                .allSatisfy(refusal -> assertThat(refusal.offset()).hasValue(20));
        assertThat(tables()).isEmpty();
        // The same conversation goes on.
        assertThat(send(w -> {}, new Step(NEWTABLE, NlFlags.CREATE, "a")).accepted())
                .isTrue();
    }

    @Test
    void lastMessageMayBeTheBadOne() throws Exception {
        BatchAnswer answer = send(w -> {}, new Step(NEWTABLE, NlFlags.CREATE, "a"), new Step(DELTABLE, 0, "missing"));
        assertThat(answer.refusals()).extracting(Refusal::sequence).containsExactly(3);
    }

    @Test
    void staleGenerationRefusesTheWholeBatch() throws Exception {
        BatchAnswer answer = send(w -> w.put(GENERATION, 123456), new Step(NEWTABLE, NlFlags.CREATE, "a"));
        assertThat(answer.refusals()).containsExactly(Refusal.of(1, Errno.ERESTART));
        assertThat(tables()).isEmpty();
    }

    @Test
    void thousandsOfRefusalsAreUnderstood() throws Exception {
        Step[] steps = new Step[20_000];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new Step(DELTABLE, 0, "missing" + i);
        }
        try (NetlinkConnection small = new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns, 64 << 10))) {
            BatchAnswer answer = send(small, w -> {}, steps);
            assertThat(answer.refusals()).hasSizeBetween(1, steps.length);
            assertThat(answer.refusals().getFirst().sequence()).isEqualTo(2);
            assertThat(send(small, w -> {}, new Step(NEWTABLE, NlFlags.CREATE, "a"))
                            .accepted())
                    .isTrue();
        }
    }

    @Test
    void echoesOfALargeBatchAllArrive() throws Exception {
        int rules = 50_000;
        int first = kernel.reserveSequences(rules + 4);
        int sequence = first;
        NlWriter batch = new NlWriter();
        Answers.message(batch, BATCH_BEGIN, NlFlags.REQUEST, sequence++, w -> header(w, 0, NFT_SUBSYSTEM));
        Answers.message(batch, NEWTABLE, NlFlags.REQUEST | NlFlags.CREATE, sequence++, w -> {
            header(w, NFPROTO_IPV4, 0);
            w.put(TABLE_NAME, "t");
        });
        Answers.message(batch, NEWCHAIN, NlFlags.REQUEST | NlFlags.CREATE, sequence++, w -> {
            header(w, NFPROTO_IPV4, 0);
            w.put(TABLE_NAME, "t").put(CHAIN_NAME, "c");
        });
        int each = NlFlags.REQUEST | NlFlags.CREATE | NlFlags.APPEND | NlFlags.ECHO;
        for (int i = 0; i < rules; i++) {
            // Without any expression, so that the answer is as large as can be in proportion.
            int flags = i == rules - 1 ? each | NlFlags.ACK : each;
            Answers.message(batch, NEWRULE, flags, sequence++, w -> {
                header(w, NFPROTO_IPV4, 0);
                w.put(TABLE_NAME, "t").put(RULE_CHAIN, "c");
            });
        }
        Answers.message(batch, BATCH_END, NlFlags.REQUEST, sequence, w -> header(w, 0, NFT_SUBSYSTEM));
        try (NetlinkConnection small = new NetlinkConnection(NlSocket.open(NlProtocol.NETFILTER, ns, 64 << 10))) {
            BatchAnswer answer = small.batch("load rules", batch, first, sequence - 1);
            assertThat(answer.refusals()).isEmpty();
            assertThat(answer.echoes())
                    .filteredOn(echo -> echo.type() == NEWRULE)
                    .hasSize(rules);
        }
    }

    private record Step(int type, int flags, String table) {}

    private BatchAnswer send(Consumer<NlWriter> begin, Step... steps) throws NetlinkException {
        return send(kernel, begin, steps);
    }

    private static BatchAnswer send(NetlinkConnection to, Consumer<NlWriter> begin, Step... steps)
            throws NetlinkException {
        int first = to.reserveSequences(steps.length + 2);
        NlWriter batch = new NlWriter();
        Answers.message(batch, BATCH_BEGIN, NlFlags.REQUEST, first, w -> {
            header(w, 0, NFT_SUBSYSTEM);
            begin.accept(w);
        });
        for (int i = 0; i < steps.length; i++) {
            Step step = steps[i];
            int ack = i == steps.length - 1 ? NlFlags.ACK : 0;
            Answers.message(batch, step.type, NlFlags.REQUEST | step.flags | ack, first + 1 + i, w -> {
                header(w, NFPROTO_IPV4, 0);
                w.put(TABLE_NAME, step.table);
            });
        }
        Answers.message(batch, BATCH_END, NlFlags.REQUEST, first + 1 + steps.length, w -> header(w, 0, NFT_SUBSYSTEM));
        return to.batch("commit", batch, first, first + steps.length);
    }

    private static void header(NlWriter writer, int family, int resource) {
        writer.u8(family);
        writer.u8(0);
        writer.u16be(resource);
    }

    private String tables() throws Exception {
        return IpTool.run(ns, List.of("nft", "list", "tables"));
    }
}
