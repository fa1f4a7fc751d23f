package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;
import java.util.OptionalInt;

/**
 * Reads rules of one family and changes what was read, in one transaction, while others change rules of theirs: it is sent again when
 * only these were changed, and made again when rules of ours were. Used by one thread.
 */
public final class SteadyChange implements AutoCloseable {
    /** How often it is read again because rules of ours were changed. */
    private static final int ATTEMPTS = 5;

    /** How often a batch is sent again that is outdated though nothing of ours has changed. */
    private static final int SEND_ATTEMPTS = 20;

    private final NftClient kernel;
    private final SteadyReader reader;

    /** Makes a batch of what was read. */
    public interface Batches<T> {
        /** @param generation for {@link NftBatch#begin(int)} */
        NftBatch batch(T found, int generation);
    }

    /** What was read last, and how the change of it ended. */
    public record Changed<T>(T found, NftOutcome outcome) {}

    /** @param ours knows which changes concern what is read */
    public SteadyChange(NetlinkKernel.Open open, OwnedObjects ours, IpFamily family) throws NetlinkException {
        this.kernel = new NftClient(new NetlinkConnection(open.transport()));
        this.reader = new SteadyReader(open, ours, family);
    }

    public <T> T read(NftClient.Reading<T> how) throws NetlinkException {
        return reader.read(kernel, how).value();
    }

    /** The outcome is {@link NftOutcome.Outdated} when rules of ours were changed during every attempt. */
    public <T> Changed<T> change(NftClient.Reading<T> how, Batches<T> batches) throws NetlinkException {
        for (int attempt = 1; ; attempt++) {
            SteadyReader.Steady<T> read = reader.read(kernel, how);
            NftOutcome outcome;
            try (NftBatch batch = batches.batch(read.value(), read.certain() ? read.generation() : 0)) {
                outcome = send(batch);
            }
            // Others may have led to our chains, too, which only the kernel knows.
            boolean again = outcome instanceof NftOutcome.Outdated
                    || (outcome instanceof NftOutcome.Refused refused && SteadyReader.mayBeOutdated(refused));
            if (!again || attempt == ATTEMPTS) {
                return new Changed<>(read.value(), outcome);
            }
            reader.outdated();
        }
    }

    private NftOutcome send(NftBatch batch) throws NetlinkException {
        NftOutcome outcome = kernel.apply(batch);
        for (int again = 1; outcome instanceof NftOutcome.Outdated && again <= SEND_ATTEMPTS; again++) {
            OptionalInt now = reader.unchanged(kernel);
            if (now.isEmpty()) {
                break;
            }
            // The last time others may come in between: what they lead to, the kernel will not delete.
            batch.renew(again == SEND_ATTEMPTS ? 0 : now.getAsInt());
            outcome = kernel.apply(batch);
        }
        return outcome;
    }

    @Override
    public void close() {
        reader.close();
        kernel.close();
    }
}
