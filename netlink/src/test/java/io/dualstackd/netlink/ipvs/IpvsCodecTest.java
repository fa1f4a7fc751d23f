package io.dualstackd.netlink.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IpvsCodecTest {
    private static final AttrTable NOTHING = AttrTable.of("NOTHING");
    private static final IpvsKey TCP = new IpvsKey.At(Ip.parse("10.96.0.1"), Proto.TCP, 443);
    private static final IpvsKey UDP = new IpvsKey.At(Ip.parse("fd00:96::a"), Proto.UDP, 53);
    private static final IpPort V4 = new IpPort(Ip.parse("10.0.1.1"), 8443);
    private static final IpPort V6 = new IpPort(Ip.parse("fd00:10::1"), 5353);

    /** What we write for a command of ipvsadm. */
    private static final Map<String, Consumer<NlWriter>> OURS = Map.of(
            "ipvsadm -A -t 10.96.0.1:443 -s rr -p 10800",
            change(new IpvsChange.AddService(new IpvsService(TCP, "rr", IpvsService.PERSISTENT, 10800, 32))),
            "ipvsadm -a -t 10.96.0.1:443 -r 10.0.1.1:8443 -m -w 1",
            change(new IpvsChange.AddDestination(TCP, IpvsDestination.of(V4, 1))),
            "ipvsadm -A -u [fd00:96::a]:53 -s rr",
            change(new IpvsChange.AddService(new IpvsService(UDP, "rr", 0, 0, 128))),
            "ipvsadm -a -u [fd00:96::a]:53 -r [fd00:10::1]:5353 -m -w 1",
            change(new IpvsChange.AddDestination(UDP, IpvsDestination.of(V6, 1))),
            "ipvsadm -e -t 10.96.0.1:443 -r 10.0.1.1:8443 -m -w 0",
            change(new IpvsChange.SetDestination(TCP, IpvsDestination.of(V4, 0))),
            "ipvsadm -E -t 10.96.0.1:443 -s wrr",
            change(new IpvsChange.SetService(new IpvsService(TCP, "wrr", 0, 0, 32))),
            "ipvsadm -d -t 10.96.0.1:443 -r 10.0.1.1:8443",
            change(new IpvsChange.DeleteDestination(TCP, V4)),
            "ipvsadm -D -t 10.96.0.1:443",
            change(new IpvsChange.DeleteService(TCP)),
            "ipvsadm --set 900 120 300",
            writer -> IpvsCodec.writeTimeouts(writer, new IpvsTimeouts(900, 120, 300)),
            "ipvsadm -A -f 7 -s rr",
            change(new IpvsChange.AddService(new IpvsService(new IpvsKey.Marked(IpFamily.IPV4, 7), "rr", 0, 0, 32))));

    private static Consumer<NlWriter> change(IpvsChange change) {
        return writer -> IpvsCodec.write(writer, change);
    }

    static List<Map.Entry<String, Bytes>> sent() {
        return List.copyOf(IpvsWire.table("sent.txt").entrySet());
    }

    static List<Map.Entry<String, Bytes>> received() {
        return List.copyOf(IpvsWire.table("received.txt").entrySet());
    }

    /** ipvsadm repeats the whole server where its key would do; all we write is part of what it writes, in its very bytes. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("sent")
    void encodesAsIpvsadmDoes(Map.Entry<String, Bytes> captured) throws DecodeException {
        NlWriter writer = new NlWriter();
        Objects.requireNonNull(OURS.get(captured.getKey()), captured.getKey()).accept(writer);
        Bytes ours = writer.toBytes();
        assertThat(ours.first(4)).isEqualTo(captured.getValue().first(4));
        List<RawAttr> attributes = top(ours);
        List<RawAttr> expected = top(captured.getValue());
        assertThat(attributes)
                .extracting(RawAttr::type)
                .isEqualTo(expected.stream().map(RawAttr::type).toList());
        for (int i = 0; i < attributes.size(); i++) {
            assertThat(parts(expected.get(i).payload()))
                    .containsAll(parts(attributes.get(i).payload()));
        }
        boolean whole = captured.getKey().matches("ipvsadm (-A|-E|--set) .*");
        if (whole) {
            assertThat(ours).isEqualTo(captured.getValue());
        }
    }

    private static List<RawAttr> top(Bytes message) throws DecodeException {
        NlReader reader = message.reader("message");
        reader.skip(4);
        return reader.attrs(NOTHING).unknown();
    }

    private static List<RawAttr> parts(Bytes nest) throws DecodeException {
        return nest.length() == 4
                ? List.of(new RawAttr(0, nest))
                : nest.reader("nest").attrs(NOTHING).unknown();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("received")
    void readsWhatTheKernelLists(Map.Entry<String, Bytes> listed) throws DecodeException {
        assertThat(print(listed.getValue().reader("listed"), listed.getValue().at(0)))
                .isEqualTo(listed.getKey());
    }

    private static String print(NlReader body, int command) throws DecodeException {
        return switch (command) {
            case 1 -> {
                IpvsService.Listed listed = IpvsCodec.readService(body);
                yield listed.service()
                        + (listed.connections() == 0 ? "" : " with " + listed.connections() + " connections");
            }
            case 5 ->
                IpvsCodec.readDestination(body, IpFamily.IPV4).destination().toString();
            default -> throw new DecodeException("listed: command " + command);
        };
    }

    /** The captured server after more connections than 32 bits can count, and the same from a kernel without 64-bit statistics. */
    @Test
    void readsHowManyConnectionsThereWere() throws DecodeException {
        Bytes captured =
                Objects.requireNonNull(IpvsWire.table("received.txt").get("tcp 10.96.0.1:443 wrr"), "captured");
        byte[] bytes = captured.toArray();
        int stats = indexOf(bytes, Bytes.ofHex("60000a00 08000100"));
        bytes[stats + 8] = 5;
        int stats64 = indexOf(bytes, Bytes.ofHex("a0000c00 0c000100"));
        bytes[stats64 + 8] = 5;
        bytes[stats64 + 12] = 1;
        assertThat(IpvsCodec.readService(Bytes.of(bytes).reader("listed")).connections())
                .isEqualTo((1L << 32) + 5);

        // A type that no kernel knows stands for an attribute that is not sent.
        bytes[stats64 + 2] = 0x7f;
        assertThat(IpvsCodec.readService(Bytes.of(bytes).reader("listed")).connections())
                .isEqualTo(5);
        bytes[stats + 2] = 0x7f;
        assertThat(IpvsCodec.readService(Bytes.of(bytes).reader("listed")).connections())
                .isZero();
    }

    private static int indexOf(byte[] bytes, Bytes part) {
        for (int at = 0; at + part.length() <= bytes.length; at++) {
            if (Bytes.of(bytes, at, at + part.length()).equals(part)) {
                return at;
            }
        }
        throw new IllegalArgumentException("not in the message: " + part);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("received")
    void everyCutOffMessageIsReadOrRefused(Map.Entry<String, Bytes> listed) {
        for (int length = 0; length < listed.getValue().length(); length++) {
            valueOrRefusal(
                    listed.getValue().first(length).toArray(), listed.getValue().at(0));
        }
    }

    @Test
    void spoiledMessages() {
        Tries.of(
                3000,
                draw -> spoiledMessages(
                        draw.upTo(received().size() - 1), draw.between(1, 400), draw.between(4, 400), draw.aByte()));
    }

    private void spoiledMessages(int which, int place, int another, byte value) {
        Bytes message = received().get(which).getValue();
        byte[] bytes = message.toArray();
        bytes[place % bytes.length] = value;
        bytes[another % bytes.length] ^= value;
        valueOrRefusal(bytes, message.at(0));
    }

    private static void valueOrRefusal(byte[] bytes, int command) {
        try {
            assertThat(print(Bytes.of(bytes).reader("listed"), command)).isNotEmpty();
        } catch (DecodeException expected) {
            assertThat(expected).hasMessageContaining("listed");
        }
    }
}
