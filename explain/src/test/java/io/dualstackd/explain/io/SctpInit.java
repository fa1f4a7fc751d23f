package io.dualstackd.explain.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/** The first packet of an association, sent through a raw socket: for kernels that forward SCTP and have no sockets for it. */
final class SctpInit {
    private static final int SOURCE_PORT = 41_000;
    private static final int LENGTH = 32;
    private static final int CHECKSUM_AT = 8;

    /** Arguments: family of the address, its text, the source, the packet. */
    private static final String SEND = """
            use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6);
            my ($four, $to, $from, $hex) = @ARGV;
            my $family = $four ? AF_INET : AF_INET6;
            my $address = sub { my $ip = inet_pton($family, $_[0]); $four ? pack_sockaddr_in(0, $ip) : pack_sockaddr_in6(0, $ip) };
            socket(my $raw, $family, SOCK_RAW, 132) or die "socket: $!";
            bind($raw, $address->($from)) or die "bind: $!";
            defined send($raw, pack("H*", $hex), 0, $address->($to)) or die "send: $!";
            """;

    private SctpInit() {}

    static String send(NetNs ns, Ip from, IpPort to) throws Exception {
        return new NetNsCommands(ns)
                .run(
                        "perl",
                        "-e",
                        SEND,
                        from instanceof Ip.V4 ? "1" : "",
                        to.ip().toString(),
                        from.toString(),
                        HexFormat.of().formatHex(packet(to.port())));
    }

    /** The common header, and one chunk INIT. */
    private static byte[] packet(int port) {
        ByteBuffer packet = ByteBuffer.allocate(LENGTH);
        packet.putShort((short) SOURCE_PORT).putShort((short) port).putInt(0).putInt(0);
        packet.put((byte) 1).put((byte) 0).putShort((short) (LENGTH - 12));
        packet.putInt(ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE)).putInt(65_536);
        packet.putShort((short) 1).putShort((short) 1).putInt(1);
        CRC32C checksum = new CRC32C();
        checksum.update(packet.array());
        packet.order(ByteOrder.LITTLE_ENDIAN).putInt(CHECKSUM_AT, (int) checksum.getValue());
        return packet.array();
    }
}
