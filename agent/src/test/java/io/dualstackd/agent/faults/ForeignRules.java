package io.dualstackd.agent.faults;

import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.nft.ChainName;
import io.dualstackd.netlink.nft.NftBatch;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftTable;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.sys.NetNs;

/** Another program that changes rules of the node, one transaction after the other at a steady rate, until it is closed. */
final class ForeignRules implements AutoCloseable {
    private final NftClient kernel;
    private final Where where;
    private final Mode mode;
    private final Thread thread;
    private int applied;
    private volatile boolean closed;

    /** Whose rules it changes. */
    enum Where {
        ANOTHER_TABLE,
        FOREIGN_CHAIN_OF_OUR_TABLE,
        OUR_CHAINS
    }

    private ForeignRules(NftClient kernel, Where where, Mode mode, int perSecond) {
        this.kernel = kernel;
        this.where = where;
        this.mode = mode;
        this.thread = Thread.ofPlatform().daemon().name("foreign-rules").unstarted(() -> run(perSecond));
    }

    static ForeignRules start(NetNs node, Mode mode, Where where, int perSecond) throws NetlinkException {
        ForeignRules rules = new ForeignRules(NftClient.open(node), where, mode, perSecond);
        rules.thread.start();
        return rules;
    }

    private void run(int perSecond) {
        try {
            long due = System.nanoTime();
            for (int number = 0; !closed; number++) {
                applied += change(number) ? 1 : 0;
                due += 1_000_000_000L / perSecond;
                long early = due - System.nanoTime();
                if (early > 1_000_000) {
                    Thread.sleep(early / 1_000_000);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (NftBatch batch = NftBatch.begin()) {
            if (where == Where.ANOTHER_TABLE) {
                kernel.apply(batch.delete(new TableName(NftFamily.INET, "foreign")));
            } else if (where == Where.FOREIGN_CHAIN_OF_OUR_TABLE) {
                kernel.apply(batch.delete(new ChainName(ours(NftFamily.IP), "FOREIGN")));
            }
        }
    }

    private TableName ours(NftFamily family) {
        return new TableName(family, mode == Mode.NFTABLES ? "dualstackd" : "nat");
    }

    private boolean change(int number) {
        try (NftBatch batch = NftBatch.begin()) {
            switch (where) {
                case ANOTHER_TABLE -> {
                    TableName table = new TableName(NftFamily.INET, "foreign");
                    batch.add(NftTable.of(table));
                    comeOrGo(batch, new ChainName(table, "banned"), number);
                }
                case FOREIGN_CHAIN_OF_OUR_TABLE ->
                    comeOrGo(batch, new ChainName(ours(NftFamily.IP), "FOREIGN"), number);
                case OUR_CHAINS ->
                    batch.flush(new ChainName(
                            ours(number % 2 == 0 ? NftFamily.IP : NftFamily.IP6),
                            mode == Mode.NFTABLES ? "pick-endpoints" : "KUBE-SERVICES"));
            }
            return kernel.apply(batch) instanceof NftOutcome.Applied;
        }
    }

    private static void comeOrGo(NftBatch batch, ChainName chain, int number) {
        if (number % 2 == 0) {
            batch.add(NftChain.of(chain));
        } else {
            batch.delete(chain);
        }
    }

    /** Returns how many transactions the kernel took. */
    int end() throws InterruptedException {
        closed = true;
        thread.join();
        kernel.close();
        return applied;
    }

    @Override
    public void close() throws InterruptedException {
        end();
    }
}
