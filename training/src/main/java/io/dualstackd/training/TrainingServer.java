package io.dualstackd.training;

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
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * The part of an API server that {@link Training} needs, over TLS: a watch begins with all objects, in Kubernetes' protobuf encoding, then
 * sends changes, and stays open; events are accepted. It is a process of its own, which runs until it is killed.
 */
final class TrainingServer {
    static final char[] PASSWORD = "training".toCharArray();

    private static final int SERVICES = 100;
    private static final int CHANGES = 200;
    private static final int PAUSE_MS = 10;
    private static final Map<String, String[]> KINDS = Map.of(
            "services", new String[] {"v1", "Service"},
            "endpointslices", new String[] {"discovery.k8s.io/v1", "EndpointSlice"},
            "servicecidrs", new String[] {"networking.k8s.io/v1", "ServiceCIDR"},
            "nodes", new String[] {"v1", "Node"});

    private final SSLServerSocket socket;

    /** Runs the server. The argument is the folder of the training: the file {@code port} there receives the port it listens on. */
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
            for (String request = in.readLine(); request != null; request = in.readLine()) {
                int length = 0;
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(
                                line.substring(line.indexOf(':') + 1).strip());
                    }
                }
                if (request.startsWith("GET ")) {
                    watch(request.replaceAll("^GET [^? ]*/([a-z]+)[? ].*", "$1"), client.getOutputStream());
                } else {
                    // The content is ASCII, so characters are bytes.
                    in.skip(length);
                    take(client.getOutputStream());
                }
            }
        } catch (IOException e) {
            System.err.println("the training's server was left: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void take(OutputStream out) throws IOException {
        String answer = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void watch(String resource, OutputStream out) throws IOException, InterruptedException {
        String head = """
                HTTP/1.1 200 OK
                Content-Type: application/vnd.kubernetes.protobuf;stream=watch
                Transfer-Encoding: chunked

                """;
        out.write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        String[] kind = KINDS.getOrDefault(resource, new String[] {"v1", "Node"});
        switch (kind[1]) {
            case "Service" -> {
                for (int i = 0; i < SERVICES; i++) {
                    chunk(out, event("ADDED", kind, service(i)));
                }
            }
            case "EndpointSlice" -> {
                for (int i = 0; i < SERVICES; i++) {
                    chunk(out, event("ADDED", kind, slice(i, 1)));
                }
            }
            case "ServiceCIDR" -> chunk(out, event("ADDED", kind, cidrs()));
            default -> chunk(out, event("ADDED", kind, node()));
        }
        chunk(out, bookmark(kind));
        out.flush();
        for (int i = 0; i < CHANGES && kind[1].equals("EndpointSlice"); i++) {
            Thread.sleep(PAUSE_MS);
            chunk(out, event("MODIFIED", kind, slice(i % SERVICES, 2 + i / SERVICES)));
            out.flush();
        }
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

    private static byte[] cidrs() throws IOException {
        return message(
                1, message(1, "kubernetes", 5, "uid", 6, "1"), 2, message(1, "10.97.0.0/16", 1, "fd00:97::/112"));
    }

    private static byte[] node() throws IOException {
        byte[] address = message(1, "InternalIP", 2, "127.0.0.1");
        return message(1, message(1, "training", 5, "uid", 6, "1"), 2, new byte[0], 3, message(5, address));
    }

    private static byte[] slice(int number, int version) throws IOException {
        byte[] label = message(1, "kubernetes.io/service-name", 2, "s" + number);
        byte[] endpoint = message(1, "10.244." + version + "." + (number + 1), 2, message(1, 1, 2, 1), 6, "training");
        byte[] port = message(1, "http", 2, "TCP", 3, 8080);
        return message(
                1,
                message(1, "s" + number + "-4", 3, "training", 5, "uid", 6, Integer.toString(version), 11, label),
                2,
                endpoint,
                3,
                port,
                4,
                "IPv4");
    }

    /** Encodes a message from field numbers and their values, alternating: texts, numbers, messages. */
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
