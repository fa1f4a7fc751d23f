package io.dualstackd.agent.lab;

import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One request over a connection of its own. */
final class HttpGet {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private HttpGet() {}

    /** The body of the page at {@code /}: what the server calls itself. */
    static String name(Ip ip, int port) throws IOException {
        return name(ip, port, TIMEOUT);
    }

    /** @param timeout how long to wait, for the connection and for each piece of the page */
    static String name(Ip ip, int port, Duration timeout) throws IOException {
        int millis = (int) timeout.toMillis();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port), millis);
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
