package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.wire.BufferSink;
import io.dualstackd.netlink.wire.NlWriter;
import org.junit.jupiter.api.Test;

final class BatchMemoryTest {
    private static final int MESSAGES = 100_000;

    /** Of all sizes, and corrected once they are written; grows several times on the way. */
    private static NlWriter written(BufferSink sink) {
        NlWriter writer = new NlWriter(64, sink);
        for (int i = 0; i < MESSAGES; i++) {
            int mark = writer.startMessage(77, 0, 0);
            writer.bytes(new byte[4 * (i % 9)], 0, 4 * (i % 9));
            writer.endMessage(mark);
        }
        int at = 0;
        for (int i = 0; i < MESSAGES; i++) {
            writer.setMessageSequence(at, i);
            writer.addMessageFlags(at, i & 0xff);
            at += writer.messageLength(at);
        }
        return writer;
    }

    @Test
    void holdsWhatTheHeapWouldHold() {
        try (BatchMemory memory = new BatchMemory()) {
            NlWriter writer = written(memory);
            NlWriter onHeap = written(BufferSink.onHeap());
            assertThat(memory.length()).isGreaterThan(2 << 20);
            assertThat(writer.length()).isEqualTo(onHeap.length());
            assertThat(writer.toByteArray()).isEqualTo(onHeap.toByteArray());
            assertThat(writer.message(0).type()).isEqualTo(77);
            assertThat(writer.shelved()).isSameAs(memory);
            assertThat(memory.length()).isEqualTo(onHeap.length());
            assertThat(writer.toByteArray()).isEqualTo(onHeap.toByteArray());
        }
    }

    @Test
    void isEmptyOnceItIsClosed() {
        BatchMemory memory = new BatchMemory();
        written(memory);
        memory.close();
        assertThat(memory.length()).isZero();
        memory.close();
    }
}
