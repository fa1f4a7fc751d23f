package io.dualstackd.netlink.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttrCursorTest {
    private static final int NEST = 4;

    private static final byte[] BYTES = Bytes.ofHex(
                    // nest 4 { text 2 "abc12", four bytes 1 }, eight bytes 3
                    "1800 0480 0a00 0200 6162 6331 3200 0000 0800 0100 0000 0102 0c00 0300 0000 0000 0000 0007")
            .toArray();

    private static AttrCursor cursor(byte[] bytes, int length) {
        return new NlReader(bytes, 0, length, "TEST").cursor();
    }

    @Test
    void goesInAndOut() throws DecodeException {
        AttrCursor cursor = cursor(BYTES, BYTES.length);
        assertThat(cursor.advance()).isTrue();
        assertThat(cursor.number()).isEqualTo(NEST);
        cursor.enter();
        assertThat(cursor.advance()).isTrue();
        assertThat(cursor.text()).isEqualTo("abc12");
        assertThat(cursor.word(0)).isEqualTo(0x323163_6261L);
        cursor.leave();
        assertThat(cursor.advance()).isTrue();
        assertThat(cursor.number()).isEqualTo(3);
        assertThat(cursor.u64be()).isEqualTo(7);
        assertThat(cursor.advance()).isFalse();
    }

    @Test
    void everyTruncatedPrefixIsRefusedOrShorter() {
        List<Integer> whole = new ArrayList<>();
        for (int length = 0; length < BYTES.length; length++) {
            int cut = length;
            try {
                walk(cursor(BYTES, cut));
                whole.add(cut);
            } catch (DecodeException expected) {
                assertThat(expected).hasMessageContaining("TEST");
            }
        }
        assertThat(whole).as("cuts between two attributes").containsExactly(0, 24);
    }

    @Test
    void refusesDeepNesting() {
        NlWriter writer = new NlWriter();
        Attr.Payload nest = new Attr.Payload(NEST, "NEST");
        List<Integer> marks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            marks.add(writer.startNest(nest));
        }
        marks.reversed().forEach(mark -> writer.endNest(mark, nest));
        byte[] bytes = writer.toByteArray();
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> walk(cursor(bytes, bytes.length)))
                .withMessageContaining("deeper");
    }

    @Test
    void anyBytesAreWalkedOrRefused() {
        Tries.of(1_000, draw -> anyBytesAreWalkedOrRefused(draw.bytes(300)));
    }

    private void anyBytesAreWalkedOrRefused(byte[] bytes) {
        try {
            walk(cursor(bytes, bytes.length));
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("TEST");
        }
    }

    private static void walk(AttrCursor cursor) throws DecodeException {
        while (cursor.advance()) {
            cursor.text();
            for (int at = 0; at < cursor.length(); at += Long.BYTES) {
                cursor.word(at);
            }
            if (cursor.number() == NEST) {
                cursor.enter();
                walk(cursor);
                cursor.leave();
            }
        }
    }
}
