package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Sends raw HTTP requests over connections of their own. */
public final class RawHttpClient {
    private static final int TIMEOUT_MS = 30_000;

    private RawHttpClient() {}

    /** Sends text over a connection of its own and returns all that comes back. */
    public static String raw(NetNs ns, Ip ip, int port, String request) throws Exception {
        try (Socket socket = connected(ns, ip, port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    public static String get(NetNs ns, Ip ip, int port, String path) throws Exception {
        return raw(ns, ip, port, "GET " + path + " HTTP/1.1\r\nHost: node\r\n\r\n");
    }

    /** The status of an answer, or 0 where there is no answer. */
    public static int status(NetNs ns, Ip ip, int port) throws Exception {
        try {
            String answer = get(ns, ip, port, "/");
            return answer.isEmpty() ? 0 : Integer.parseInt(answer.split(" ", 3)[1]);
        } catch (IOException e) {
            return 0;
        }
    }

    public static Socket connected(NetNs ns, Ip ip, int port) throws Exception {
        return ns.call(() -> {
            Socket socket = SocketChannel.open().socket();
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port), TIMEOUT_MS);
            return socket;
        });
    }
}
