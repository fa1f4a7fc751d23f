package io.dualstackd.agent.lab;

import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One request over a connection of its own. */
final class HttpAsk {
    private static final int PATIENCE_MILLIS = 2000;

    private HttpAsk() {}

    /** The body of the page at {@code /}: what the server calls itself. */
    static String name(Ip ip, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port), PATIENCE_MILLIS);
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int body = answer.indexOf("\r\n\r\n");
            if (!answer.startsWith("HTTP/1.") || !answer.contains(" 200 ") || body < 0) {
                throw new IOException("no page but: " + answer);
            }
            return answer.substring(body + 4);
        }
    }
}
