package io.dualstackd.agent;

import com.google.protobuf.CodedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * As much of an API server as {@link Training} needs: every answer is a watch that begins with everything, in Kubernetes' protobuf
 * encoding, over TLS, and stays open. A process of its own, until it is killed.
 */
final class TrainingServer {
    static final char[] PASSWORD = "training".toCharArray();

    private static final int SERVICES = 100;
    private static final Map<String, String[]> KINDS = Map.of(
            "services", new String[] {"v1", "Service"},
            "endpointslices", new String[] {"discovery.k8s.io/v1", "EndpointSlice"},
            "servicecidrs", new String[] {"networking.k8s.io/v1", "ServiceCIDR"},
            "nodes", new String[] {"v1", "Node"});

    private final SSLServerSocket socket;

    /** The argument is the folder of the training: the file {@code port} there says where it listens. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        TrainingServer server = new TrainingServer(folder.resolve("tls.p12"));
        Path fresh = Files.writeString(folder.resolve("port.new"), Integer.toString(server.port()));
        Files.move(fresh, folder.resolve("port"), StandardCopyOption.ATOMIC_MOVE);
        server.accept();
    }

    /** @param keys in PKCS 12, with {@link #PASSWORD} */
    TrainingServer(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Thread.ofPlatform().daemon().name("training-client").start(() -> serve(client));
            }
        } catch (IOException e) {
            System.err.println("the training's server has ended: " + e);
        }
    }

    private static void serve(Socket client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            String request = in.readLine();
            for (String line = request; line != null && !line.isEmpty(); line = in.readLine()) {
                // Headers say nothing that would change the answer.
            }
            if (request != null) {
                watch(request.replaceAll("^GET [^? ]*/([a-z]+)[? ].*", "$1"), client.getOutputStream());
            }
            // Open until the other side goes.
            String ignored = in.readLine();
        } catch (IOException e) {
            System.err.println("the training's server was left: " + e);
        }
    }

    private static void watch(String resource, OutputStream out) throws IOException {
        String head = """
                HTTP/1.1 200 OK
                Content-Type: application/vnd.kubernetes.protobuf;stream=watch
                Transfer-Encoding: chunked

                """;
        out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        String[] kind = KINDS.getOrDefault(resource, new String[] {"v1", "Node"});
        if (kind[1].equals("Service") || kind[1].equals("EndpointSlice")) {
            for (int i = 0; i < 2 * SERVICES; i++) {
                String type = i < SERVICES ? "ADDED" : "MODIFIED";
                chunk(out, event(type, kind, kind[1].equals("Service") ? service(i % SERVICES) : slice(i % SERVICES)));
                if (i == SERVICES - 1) {
                    chunk(out, bookmark(kind));
                }
            }
        } else {
            chunk(out, bookmark(kind));
        }
        out.flush();
    }

    private static void chunk(OutputStream out, byte[] bytes) throws IOException {
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] event(String type, String[] kind, byte[] object) throws IOException {
        byte[] unknown = message(1, message(1, kind[0], 2, kind[1]), 2, object);
        byte[] envelope = ByteBuffer.allocate(4 + unknown.length)
                .put(new byte[] {'k', '8', 's', 0})
                .put(unknown)
                .array();
        byte[] event = message(1, type, 2, message(1, envelope));
        return ByteBuffer.allocate(4 + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    private static byte[] bookmark(String[] kind) throws IOException {
        byte[] annotation = message(1, "k8s.io/initial-events-end", 2, "true");
        return event("BOOKMARK", kind, message(1, message(6, "1", 12, annotation)));
    }

    private static byte[] service(int number) throws IOException {
        byte[] port = message(1, "http", 2, "TCP", 3, 80);
        String ip = "10.97.0." + (number + 1);
        String ip6 = "fd00:97::" + (number + 1);
        return message(
                1,
                message(1, "s" + number, 3, "training", 5, "uid", 6, "1"),
                2,
                message(
                        1,
                        port,
                        3,
                        ip,
                        4,
                        "ClusterIP",
                        7,
                        "None",
                        18,
                        ip,
                        18,
                        ip6,
                        19,
                        "IPv4",
                        19,
                        "IPv6",
                        22,
                        "Cluster"));
    }

    private static byte[] slice(int number) throws IOException {
        byte[] label = message(1, "kubernetes.io/service-name", 2, "s" + number);
        byte[] endpoint = message(1, "10.244.1." + (number + 1), 2, message(1, 1, 2, 1), 6, "training");
        byte[] port = message(1, "http", 2, "TCP", 3, 8080);
        return message(
                1,
                message(1, "s" + number + "-4", 3, "training", 5, "uid", 6, "1", 11, label),
                2,
                endpoint,
                3,
                port,
                4,
                "IPv4");
    }

    /** Field numbers and their values, in turn: texts, numbers, messages. */
    private static byte[] message(Object... fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        for (int i = 0; i < fields.length; i += 2) {
            int field = (Integer) fields[i];
            switch (fields[i + 1]) {
                case String text -> out.writeString(field, text);
                case byte[] message -> out.writeByteArray(field, message);
                case Integer number -> out.writeInt64(field, number);
                default -> throw new IllegalArgumentException("no such field");
            }
        }
        out.flush();
        return bytes.toByteArray();
    }
}
