package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.watch.OwnedObjects;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.io.NftOutcome;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftBatch;

/**
 * Reads rules of one family and changes them in one transaction, while other programs change other rules: the batch is sent again when
 * only those were changed, and made again when rules of dualstackd were. Used by one thread.
 */
public final class SteadyChange implements AutoCloseable {
    /** How often the rules are read again because rules of dualstackd were changed. */
    private static final int ATTEMPTS = 5;

    private final NftClient kernel;
    private final SteadyReader reader;

    /** Makes a batch from what was read. */
    public interface Batches<T> {
        /** @param generation for {@link NftBatch#begin(int)} */
        NftBatch batch(T found, int generation);
    }

    /** The last read, and the outcome of changing it. */
    public record Changed<T>(T found, NftOutcome outcome) {}

    /** @param ours decides which changes concern what is read */
    public SteadyChange(NetlinkKernel.Open open, OwnedObjects ours, IpFamily family) throws NetlinkException {
        this.kernel = new NftClient(new NetlinkConnection(open.transport()));
        this.reader = new SteadyReader(open, ours, family);
    }

    public <T> T read(NftClient.Reading<T> how) throws NetlinkException {
        return reader.read(kernel, how).value();
    }

    /** The outcome is {@link NftOutcome.Outdated} when rules of dualstackd were changed during every attempt. */
    public <T> Changed<T> change(NftClient.Reading<T> how, Batches<T> batches) throws NetlinkException {
        for (int attempt = 1; ; attempt++) {
            SteadyReader.Steady<T> read = reader.read(kernel, how);
            NftOutcome outcome;
            try (NftBatch batch = batches.batch(read.value(), read.certain() ? read.generation() : 0)) {
                outcome = NftSession.send(kernel, batch, reader::unchanged);
            }
            // Rules of others may jump to own chains, too, which only the kernel knows.
            boolean again = outcome instanceof NftOutcome.Outdated
                    || (outcome instanceof NftOutcome.Refused refused && SteadyReader.mayBeOutdated(refused));
            if (!again || attempt == ATTEMPTS) {
                return new Changed<>(read.value(), outcome);
            }
            reader.outdated();
        }
    }

    @Override
    public void close() {
        reader.close();
        kernel.close();
    }
}
