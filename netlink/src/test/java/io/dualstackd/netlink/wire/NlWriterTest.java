package io.dualstackd.netlink.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NlWriterTest {
    private static final Attr.U32be NUMBER = new Attr.U32be(1, "NUMBER");
    private static final Attr.Text NAME = new Attr.Text(2, "NAME");
    private static final Attr.Address ADDRESS = new Attr.Address(3, "ADDRESS");
    private static final AttrTable INNER = AttrTable.of("INNER", NUMBER, NAME, ADDRESS);
    private static final Attr.Nest NEST = new Attr.Nest(4, "NEST", INNER);
    private static final AttrTable OUTER = AttrTable.of("OUTER", NUMBER, NEST);

    @Test
    void attributesAreAlignedAndNestsGetTheirLength() {
        NlWriter writer = new NlWriter();
        writer.nest(NEST, n -> n.put(NAME, "abc12").put(NUMBER, 258));
        assertThat(writer.toBytes())
                .isEqualTo(Bytes.ofHex("1800 0480 0a00 0200 6162 6331 3200 0000 0800 0100 0000 0102"));
    }

    @Test
    void readsBackWhatWasWritten() throws DecodeException {
        NlWriter writer = new NlWriter();
        int message = writer.startMessage(77, 5, 9);
        writer.put(NUMBER, -2);
        writer.nest(NEST, n -> n.put(ADDRESS, Ip.parse("fd00::1")).put(new RawAttr(0x8123, Bytes.ofHex("aabb"))));
        writer.endMessage(message);

        NlMessage read = NlMessage.split(writer.toByteArray(), writer.length()).getFirst();
        assertThat(read.type()).isEqualTo(77);
        assertThat(read.flags()).isEqualTo(5);
        assertThat(read.sequence()).isEqualTo(9);
        Attrs outer = read.body("TEST").attrs(OUTER);
        assertThat(outer.get(NUMBER)).isEqualTo(-2);
        Attrs inner = outer.get(NEST);
        assertThat(inner.get(ADDRESS)).isEqualTo(Ip.parse("fd00::1"));
        assertThat(inner.has(NAME)).isFalse();
        assertThat(inner.unknown()).containsExactly(new RawAttr(0x8123, Bytes.ofHex("aabb")));
    }

    @Test
    void aWrongSizeNamesTheAttributeAndTheOffset() {
        NlReader reader = Bytes.ofHex("0600 0100 0102 0000").reader("TEST");
        assertThatThrownBy(() -> reader.attrs(OUTER).get(NUMBER))
                .isInstanceOf(DecodeException.class)
                .hasMessage("TEST: NUMBER: want 4 bytes, got 2, at offset 0");
    }

    @Test
    void aLongDatagramIsTheSameInPages() throws DecodeException {
        NlWriter writer = new NlWriter();
        int count = 40_000;
        for (int i = 0; i < count; i++) {
            int mark = writer.startMessage(77, 0, 0);
            int nest = writer.startNest(NEST);
            writer.put(NUMBER, i).put(NAME, "x".repeat(i % 7));
            writer.endNest(nest, NEST);
            writer.endMessage(mark);
        }
        assertThat(writer.length()).isGreaterThan(4 * NlPages.FULL);
        int at = 0;
        for (int i = 0; i < count; i++) {
            writer.setMessageSequence(at, i);
            writer.addMessageFlags(at, i & 0xff);
            at += writer.messageLength(at);
        }
        assertThat(at).isEqualTo(writer.length());

        List<NlMessage> messages = NlMessage.split(writer.toByteArray(), writer.length());
        assertThat(messages).hasSize(count);
        for (int i = 0; i < count; i++) {
            NlMessage message = messages.get(i);
            assertThat(message.sequence()).isEqualTo(i);
            assertThat(message.flags()).isEqualTo(i & 0xff);
            assertThat(message.body("TEST").attrs(OUTER).get(NEST).get(NUMBER)).isEqualTo(i);
        }
        NlWriter pieces = new NlWriter();
        writer.pieces((piece, length) -> pieces.bytes(piece, 0, length));
        assertThat(pieces.toByteArray()).isEqualTo(writer.toByteArray());
    }

    @Test
    void bytesWrittenIntoASizeArePaddedAndNeverLonger() {
        assertThat(Bytes.written(8, writer -> writer.u32be(1))).isEqualTo(Bytes.ofHex("0000 0001 0000 0000"));
        assertThatThrownBy(() -> Bytes.written(3, writer -> writer.u32be(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
