package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.Listening;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * A process that listens on many ports, uses up its file descriptors while a client waits on each port, and prints how long the answer to
 * a client takes that was accepted before; to be run with a low limit of descriptors.
 */
final class OutOfDescriptorsChild {
    private static final int PORTS = 100;
    private static final Ip LOCALHOST = Ip.parse("127.0.0.1");

    private OutOfDescriptorsChild() {}

    public static void main(String[] arguments) throws Exception {
        try (NetNs ns = NetNs.current();
                HttpLoop loop = HttpLoop.start(ns)) {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < PORTS; i++) {
                ports.add(loop.listen(
                                new Listening(Optional.of(LOCALHOST), 0),
                                (request, asked) -> Optional.of(HttpAnswer.text(200, "answered")))
                        .port());
            }
            // So that every class is loaded, which takes descriptors, too.
            LoggerFactory.getLogger("health").debug("accept fails later reason=\"{}\"", "wanted by the test");
            String first = RawHttpClient.get(ns, LOCALHOST, ports.getFirst(), "/");
            List<SocketChannel> waiting = new ArrayList<>();
            for (int i = 0; i < PORTS; i++) {
                waiting.add(SocketChannel.open());
            }
            try (Socket client = RawHttpClient.connected(ns, LOCALHOST, ports.getFirst())) {
                client.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                Thread.sleep(Duration.ofMillis(500));
                byte[] rest = "Host: node\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
                List<Closeable> used = new ArrayList<>();
                useUp(used);
                // These connections wait to be accepted.
                for (int i = 0; i < PORTS; i++) {
                    waiting.get(i)
                            .connect(
                                    new InetSocketAddress(InetAddress.getByAddress(LOCALHOST.toBytes()), ports.get(i)));
                }
                long before = System.nanoTime();
                client.getOutputStream().write(rest);
                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                long millis = Duration.ofNanos(System.nanoTime() - before).toMillis();
                for (Closeable one : used) {
                    one.close();
                }
                System.out.println(answer.equals(first) + " " + (millis < 4_000 ? "soon" : millis + " ms"));
            }
            for (SocketChannel one : waiting) {
                one.close();
            }
        }
    }

    private static void useUp(List<Closeable> used) {
        try {
            while (true) {
                used.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There is none left.
        }
    }
}
