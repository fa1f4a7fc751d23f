package io.dualstackd.kubeapi.wire.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way of reading an address agrees with the general one. */
final class PlainIpTest {
    private static @Nullable Ip read(String text) {
        byte[] bytes = ("7:." + text + ":1.").getBytes(StandardCharsets.UTF_8);
        return PlainIp.read(bytes, 3, bytes.length - 6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "255.255.255.255",
                "0.0.0.0",
                "::",
                "::1",
                "1::",
                "fd00:10:244::3",
                "FD00:10:244::aBcD",
                "1:2:3:4:5:6:7:8",
                "1::8",
                "1:2:3:4::",
                "1:2:3:4::5",
                "1:2:3:4:5::",
                "1:2:3:4:5::6:7",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "2001:db8::a:0:0:1"
            })
    void readsWhatControllersWrite(String text) {
        assertThat(read(text)).isEqualTo(Ip.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":1",
                "1:",
                ":::",
                "1:::2",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "::ffff:10.0.0.1",
                "::ffff:a00:1",
                "64:ff9b::10.0.0.1",
                "10.0.0",
                "10.0.0.1.2",
                "10.0.0.256",
                "010.0.0.1",
                "10..0.1",
                "10.0.0.1 ",
                " ::1",
                "1.2.3.4:5",
                "::1.",
                "\u00fc::1"
            })
    void leavesTheRestToTheGeneralReader(String text) {
        assertThat(read(text)).isNull();
    }

    /** Texts near to addresses: what is read at all is what the general reader reads. */
    @Test
    void agreesWithTheGeneralReader() {
        Random random = new Random(7);
        String alphabet = "01f::::.a";
        int read = 0;
        for (int i = 0; i < 300_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(18);
            for (int j = 0; j < length; j++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Ip plain = read(text.toString());
            if (plain != null) {
                read++;
                assertThat(plain).as(text.toString()).isEqualTo(Ip.parse(text.toString()));
            }
        }
        assertThat(read).isGreaterThan(1000);
    }

    /** Every address, as it is printed. */
    @Test
    void readsEveryForm() {
        Random random = new Random(11);
        for (int i = 0; i < 50_000; i++) {
            Ip.V6 ip = new Ip.V6(zeroes(random), zeroes(random));
            Ip mapped = Ip.parseLenient(ip.toString());
            assertThat(read(ip.toString())).as(ip.toString()).isEqualTo(mapped instanceof Ip.V4 ? null : ip);
        }
    }

    /** With some groups that are zero. */
    private static long zeroes(Random random) {
        long bits = random.nextLong();
        for (int group = 0; group < 4; group++) {
            if (random.nextBoolean()) {
                bits &= ~(0xffffL << (16 * group));
            }
        }
        return bits;
    }
}
