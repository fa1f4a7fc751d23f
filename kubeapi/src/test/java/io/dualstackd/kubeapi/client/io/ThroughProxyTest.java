package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.access.ClusterAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections through a proxy. */
final class ThroughProxyTest {

    /** An IPv6 address has brackets there, and none in the certificate. */
    @ParameterizedTest
    @CsvSource({"api.example.org, api.example.org", "10.96.0.1, 10.96.0.1", "fd00:10:96::1, [fd00:10:96::1]"})
    void connectsThroughHttpProxy(String host, String asked) throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.tls(host), 3);
                Passer proxy = new Passer(server.access().port())) {
            ClusterAccess real = server.access();
            ClusterAccess access = new ClusterAccess(
                    true,
                    host,
                    6443,
                    "",
                    real.authorities(),
                    Optional.empty(),
                    false,
                    Optional.of("http://me:secret@127.0.0.1:" + proxy.port()));
            try (TestCluster cluster = TestCluster.of(server).access(access).start()) {
                cluster.awaitEqual();
                assertThat(proxy.asked)
                        .hasSize(4)
                        .allSatisfy(head -> assertThat(head)
                                .startsWith("CONNECT " + asked + ":6443 HTTP/1.1")
                                .contains("Basic bWU6c2VjcmV0"));
            }
        }
    }

    /** Accepts each CONNECT and passes everything on to one port. */
    private static final class Passer implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final List<Socket> open = new CopyOnWriteArrayList<>();
        private final int to;

        private Passer(int to) throws IOException {
            this.to = to;
            Thread.ofVirtual().start(() -> serve(listening));
        }

        private int port() {
            return listening.getLocalPort();
        }

        private void serve(ServerSocket from) {
            try {
                while (true) {
                    Socket client = from.accept();
                    open.add(client);
                    Thread.ofVirtual().start(() -> pass(client));
                }
            } catch (IOException e) {
                // Closed.
            }
        }

        private void pass(Socket client) {
            try {
                StringBuilder head = new StringBuilder();
                InputStream in = client.getInputStream();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) in.read());
                }
                asked.add(head.toString());
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(server);
                client.getOutputStream()
                        .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                Thread.ofVirtual().start(() -> pour(client, server));
                pour(server, client);
            } catch (IOException e) {
                close(client);
            }
        }

        private static void pour(Socket from, Socket to) {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException e) {
                close(from);
            }
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                // Then it was.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            open.forEach(Passer::close);
        }
    }
}
