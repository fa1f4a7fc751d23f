package io.dualstackd.netlink.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1",
        "255.255.255.255, 255.255.255.255",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "FD00:0:0:1:0:0:0:1, fd00:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    })
    void textIsCanonical(String text, String canonical) {
        assertThat(Ip.parse(text)).hasToString(canonical);
        assertThat(Ip.parse(canonical)).isEqualTo(Ip.parse(text));
        assertThat(Ip.ofBytes(Ip.parse(text).toBytes())).isEqualTo(Ip.parse(text));
    }

    /** Addresses that are nearly alike, and all kinds of others. */
    @Test
    void comparesAsTexts() {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            IpPort one = new IpPort(similar(random), random.nextInt(100) * 5);
            IpPort other = random.nextInt(10) == 0
                    ? new IpPort(one.ip(), random.nextInt(65_536))
                    : new IpPort(similar(random), random.nextInt(100) * 5);
            assertThat(Integer.signum(IpPort.compareAsText(one, other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(Integer.signum(one.toString().compareTo(other.toString())));
        }
    }

    private static Ip similar(Random random) {
        int[] octets = {0, 1, 2, 9, 10, 11, 19, 20, 99, 100, 101, 109, 110, 199, 200, 255};
        int[] groups = {0, 0, 0, 1, 9, 0xa, 0xf, 0x10, 0x1a, 0x9f, 0xa0, 0x100, 0x1a0, 0xa00, 0x1000, 0x1a00, 0xffff};
        if (random.nextBoolean()) {
            int bits = 0;
            for (int i = 0; i < 4; i++) {
                bits = bits << 8 | (i > 0 && random.nextBoolean() ? 10 : octets[random.nextInt(octets.length)]);
            }
            return new Ip.V4(bits);
        }
        long[] halves = new long[2];
        for (int i = 0; i < 8; i++) {
            halves[i / 4] =
                    halves[i / 4] << 16 | (random.nextInt(3) > 0 ? i % 5 : groups[random.nextInt(groups.length)]);
        }
        boolean mapped = random.nextInt(20) == 0;
        return mapped ? new Ip.V6(0, 0xffff_0000_0000L | random.nextInt(300)) : new Ip.V6(halves[0], halves[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.-4",
                "1.2.3.04",
                "1.2.3.4 ",
                " 1.2.3.4",
                "a.b.c.d",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "::ffff:10.0.0.1",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3",
                "1.2.3.4::",
                "１.2.3.4",
                "::１",
            })
    void strictTextIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ip.parse(text))
                .withMessageStartingWith("\"" + text + "\" is not an IP address: ");
    }

    @ParameterizedTest
    @CsvSource({"172.30.0.041, 172.30.0.41", "010.1.001.0, 10.1.1.0", "::ffff:10.0.0.1, 10.0.0.1"})
    void lenientTextReadsLeadingZerosAsDecimal(String text, String canonical) {
        assertThat(Ip.parseLenient(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, 10.0.0.0/8, 10.255.255.255, 11.0.0.0",
        "0.0.0.0/0, 0.0.0.0/0, 255.1.2.3, ::1",
        "192.0.2.1/32, 192.0.2.1/32, 192.0.2.1, 192.0.2.2",
        "fd00:1:2:3:4::/64, fd00:1:2:3::/64, fd00:1:2:3:ffff::1, fd00:1:2:4::",
        "::/0, ::/0, ffff::, 1.2.3.4",
        "2001:db8::1/128, 2001:db8::1/128, 2001:db8::1, 2001:db8::2",
        "2001:db8:ffff::/33, 2001:db8:8000::/33, 2001:db8:8000::1, 2001:db8:7fff::1",
    })
    void aPrefixClearsHostBitsAndContains(String text, String canonical, String inside, String outside) {
        IpPrefix prefix = IpPrefix.parse(text);
        assertThat(prefix).hasToString(canonical);
        assertThat(prefix.contains(Ip.parse(inside))).isTrue();
        assertThat(prefix.contains(Ip.parse(outside))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "::/129",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "/8"
            })
    void aBadPrefixIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> IpPrefix.parse(text));
    }

    @Test
    void lenientPrefixes() {
        assertThat(IpPrefix.parseLenient("203.0.113.000/025")).hasToString("203.0.113.0/25");
    }

    @Test
    void addressesAreOrderedByFamilyThenUnsigned() {
        assertThat(Stream.of("::1", "200.0.0.1", "10.0.0.1", "fd00::1", "9.0.0.1")
                        .map(Ip::parse)
                        .sorted())
                .extracting(Ip::toString)
                .containsExactly("9.0.0.1", "10.0.0.1", "200.0.0.1", "::1", "fd00::1");
    }

    @Test
    void kindsOfAddresses() {
        assertThat(Ip.parse("127.9.9.9").isLoopback()).isTrue();
        assertThat(Ip.parse("fe80::1").isLinkLocal()).isTrue();
        assertThat(Ip.parse("fec0::1").isLinkLocal()).isFalse();
        assertThat(Ip.parse("169.254.1.1").isLinkLocal()).isTrue();
        assertThat(Ip.parse("ff02::1").isMulticast()).isTrue();
        assertThat(Ip.parse("239.0.0.1").isMulticast()).isTrue();
        assertThat(IpPrefix.parse("10.0.0.0/12").netmask()).hasToString("255.240.0.0");
    }

    /** Half of the texts are addresses, the others have one or two wrong characters; the random numbers are the same each time. */
    @Test
    void plainTextIsReadAsAnyOther() {
        Random random = new Random(1664);
        int read = 0;
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            String text = text(random);
            Ip plain = Ip.parsePlain((" " + text + "7").getBytes(StandardCharsets.ISO_8859_1), 1, text.length());
            Optional<Ip> parsed = parsed(text);
            boolean general = parsed.isEmpty() || (text.contains(":") && text.contains("."));
            assertThat(Optional.ofNullable(plain)).as(text).isEqualTo(general ? Optional.empty() : parsed);
            if (plain == null) {
                refused++;
            } else {
                read++;
                assertThat(Ip.ofBytes(plain.toBytes())).isEqualTo(plain);
                assertThat(Ip.parse(plain.toString())).isEqualTo(plain);
            }
        }
        assertThat(read).isGreaterThan(30_000);
        assertThat(refused).isGreaterThan(20_000);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(4) == 0) {
            text.append(new Ip.V4(random.nextInt()));
        } else {
            // Many groups of zeros, so that there is often a gap, and somewhere else each time.
            long zeros = 0;
            for (int group = 0; group < 4; group++) {
                zeros = zeros << 16 | (random.nextBoolean() ? 0xffff : 0);
            }
            text.append(new Ip.V6(random.nextLong() & zeros, random.nextLong() & Long.reverse(zeros)));
        }
        for (int edits = Math.max(0, random.nextInt(6) - 3); edits > 0; edits--) {
            text.insert(random.nextInt(text.length() + 1), "0:.:fFg1%/".charAt(random.nextInt(10)));
            if (random.nextBoolean()) {
                text.deleteCharAt(random.nextInt(text.length()));
            }
        }
        return text.toString();
    }

    private static Optional<Ip> parsed(String text) {
        try {
            return Optional.of(Ip.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
