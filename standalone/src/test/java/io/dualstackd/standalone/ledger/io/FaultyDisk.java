package io.dualstackd.standalone.ledger.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk that fails at the n-th step from now, having written half of what it was to write, and then works or goes on failing. */
final class FaultyDisk implements LogFile.Opener {
    private int good = Integer.MAX_VALUE;
    private boolean lasting;

    /** @param steps that work before one fails */
    void failAfter(int steps, boolean forEver) {
        good = steps;
        lasting = forEver;
    }

    void work() {
        good = Integer.MAX_VALUE;
    }

    /** Whether a failure was asked for and has not happened. */
    boolean isWaiting() {
        return good != Integer.MAX_VALUE && good >= 0;
    }

    private void step() throws IOException {
        if (good == Integer.MAX_VALUE) {
            return;
        }
        if (good-- <= 0) {
            if (!lasting) {
                good = Integer.MAX_VALUE;
            }
            throw new IOException("No space left on device");
        }
    }

    @Override
    public LogFile existing(Path file) throws IOException {
        step();
        return new Faulty(LogFile.Opener.DISK.existing(file));
    }

    @Override
    public LogFile empty(Path file) throws IOException {
        step();
        return new Faulty(LogFile.Opener.DISK.empty(file));
    }

    private final class Faulty implements LogFile {
        private final LogFile file;

        Faulty(LogFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            try {
                step();
            } catch (IOException e) {
                file.write(bytes.slice(0, bytes.remaining() / 2), offset);
                throw e;
            }
            file.write(bytes, offset);
        }

        @Override
        public void force() throws IOException {
            // Nothing here survives the machine, so it need not reach the medium.
            step();
        }

        @Override
        public void truncate(long size) throws IOException {
            step();
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
