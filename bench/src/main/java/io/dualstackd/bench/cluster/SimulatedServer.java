package io.dualstackd.bench.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A simulated API server in a process of its own, with the calls that a node agent uses. What it lists is encoded beforehand. It reads commands from its standard input: {@code
 * change N} gives Service 0 another first endpoint; {@code storm RATE SECONDS} does so for all Services in turn.
 */
public final class SimulatedServer {
    public static final String CHILD = "apiserver";
    static final char[] PASSWORD = "changeit".toCharArray();

    private static final String SERVICES = "/services";
    private static final String SLICES = "/endpointslices";
    private static final String CIDRS = "/servicecidrs";
    private static final String NODES = "/nodes";
    private static final String REHEARSAL = "/rehearsal";
    private static final int REHEARSALS = 5;
    private static final int CHANGES_REHEARSED = 1000;
    /** As real servers: a client takes a server that sends nothing for long for one that hangs. */
    private static final long BOOKMARK_SECONDS = 60;

    private final int services;
    private final AtomicLong version = new AtomicLong(1);
    /** Changes of all storms so far; each storm goes on where the last one ended, so that every change is one. */
    private long stormed;

    private final List<BlockingQueue<byte[]>> sliceWatches = new CopyOnWriteArrayList<>();
    /** The events at the beginning of a watch, by the last part of its path. */
    private final Map<String, byte[]> initial = new HashMap<>();

    private SimulatedServer(int services) throws IOException {
        this.services = services;
        for (String resource : List.of(SERVICES, SLICES, CIDRS, NODES)) {
            ByteArrayOutputStream events = new ByteArrayOutputStream();
            writeInitial(resource, events);
            initial.put(resource, events.toByteArray());
        }
    }

    /** @param arguments port, number of Services, key store */
    public static void main(List<String> arguments) throws Exception {
        SimulatedServer server = new SimulatedServer(Integer.parseInt(arguments.get(1)));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(Path.of(arguments.get(2)))) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer http = HttpsServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments.get(0))), 16);
        http.setHttpsConfigurator(new HttpsConfigurator(tls));
        http.setExecutor(Executors.newCachedThreadPool());
        http.createContext("/", server::answer);
        http.createContext(REHEARSAL, server::rehearse);
        http.start();
        for (int time = 0; time < REHEARSALS; time++) {
            rehearse(http.getAddress(), tls);
        }
        server.rehearseChanges(http.getAddress(), tls);
        System.out.println("listening");
        server.obey();
        http.stop(0);
        System.exit(0);
    }

    /** Reads everything: a real server has compiled code, which this JVM would otherwise compile while the daemon is measured. */
    private static void rehearse(InetSocketAddress address, SSLContext tls) throws IOException {
        URI all = URI.create("https://127.0.0.1:" + address.getPort() + REHEARSAL);
        HttpsURLConnection connection = (HttpsURLConnection) all.toURL().openConnection();
        connection.setSSLSocketFactory(tls.getSocketFactory());
        try (InputStream in = connection.getInputStream()) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private void rehearse(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 65_536)) {
            for (byte[] events : initial.values()) {
                out.write(events);
            }
        }
    }

    /** Sends changes to a watch of its own, for the same reason, and then forgets them. */
    private void rehearseChanges(InetSocketAddress address, SSLContext tls) throws IOException {
        URI watch = URI.create("https://127.0.0.1:" + address.getPort() + SLICES + "?watch=true");
        HttpsURLConnection connection = (HttpsURLConnection) watch.toURL().openConnection();
        connection.setSSLSocketFactory(tls.getSocketFactory());
        try (InputStream in = connection.getInputStream()) {
            byte[] buffer = new byte[65_536];
            for (int n = 0; n < CHANGES_REHEARSED; n++) {
                change(0, 0);
                if (in.read(buffer) < 0) {
                    throw new IOException("the watch has ended");
                }
            }
        }
        sliceWatches.clear();
        version.set(1);
    }

    private void obey() throws IOException, InterruptedException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "change" -> change(0, Integer.parseInt(words[1]));
                case "storm" -> storm(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                default -> throw new IOException("what is \"" + line + "\"?");
            }
        }
    }

    private void change(int service, int change) {
        for (IpFamily family : IpFamily.values()) {
            change(service, family, change);
        }
    }

    private void change(int service, IpFamily family, int change) {
        byte[] event = Type.of(SLICES).modified(Objects.slice(service, family, change, version.incrementAndGet()));
        sliceWatches.forEach(watch -> watch.add(event));
    }

    /** Changes one family at a time, so that a change is one slice, as a cluster's controller writes it. */
    private void storm(int rate, int seconds) throws InterruptedException {
        long start = System.nanoTime();
        int total = rate * seconds;
        for (int n = 0; n < total; n++) {
            long due = start + n * 1_000_000_000L / rate;
            long early = due - System.nanoTime();
            if (early > 1_000_000) {
                Thread.sleep(early / 1_000_000);
            }
            IpFamily family = stormed % 2 == 0 ? IpFamily.IPV4 : IpFamily.IPV6;
            long pair = stormed / 2;
            change(1 + (int) (pair % (services - 1)), family, 1 + (int) (pair / (services - 1)));
            stormed++;
        }
        System.out.println("stormed " + (System.nanoTime() - start));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        boolean watch = query.contains("watch=true") || query.contains("watch=1");
        String resource = path.substring(path.lastIndexOf('/'));
        byte[] first = initial.get(resource);
        if (!watch || first == null) {
            exchange.sendResponseHeaders(first == null ? 404 : 400, -1);
            exchange.close();
            return;
        }
        BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
        if (path.endsWith(SLICES)) {
            // Before the client can know that it watches.
            sliceWatches.add(events);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 65_536)) {
            if (query.contains("sendInitialEvents=true")) {
                out.write(first);
            }
            out.flush();
            while (true) {
                // Read before the wait: what has this version by then was sent.
                long sent = version.get();
                byte[] next = events.poll(BOOKMARK_SECONDS, TimeUnit.SECONDS);
                out.write(next == null ? Type.of(resource).bookmark(Objects.version(sent)) : next);
                for (byte[] more = events.poll(); more != null; more = events.poll()) {
                    out.write(more);
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has disconnected.
        } finally {
            sliceWatches.remove(events);
        }
    }

    private void writeInitial(String resource, OutputStream out) throws IOException {
        Type type = Type.of(resource);
        switch (resource) {
            case SERVICES -> {
                for (int n = 0; n < services; n++) {
                    out.write(type.added(Objects.service(n, 1)));
                }
            }
            case SLICES -> {
                for (int n = 0; n < services; n++) {
                    for (IpFamily family : IpFamily.values()) {
                        out.write(type.added(Objects.slice(n, family, 0, 1)));
                    }
                }
            }
            case NODES -> out.write(type.added(Objects.node(1)));
            default -> {}
        }
        out.write(type.bookmark(Objects.initialEventsEnd(1)));
    }

    /** The type of a resource's objects. */
    private record Type(String apiVersion, String kind) {
        static Type of(String resource) {
            return switch (resource) {
                case SERVICES -> new Type("v1", "Service");
                case SLICES -> new Type("discovery.k8s.io/v1", "EndpointSlice");
                case NODES -> new Type("v1", "Node");
                case CIDRS -> new Type("networking.k8s.io/v1", "ServiceCIDR");
                default -> throw new IllegalArgumentException(resource);
            };
        }

        byte[] added(byte[] object) {
            return Objects.event("ADDED", apiVersion, kind, object);
        }

        byte[] modified(byte[] object) {
            return Objects.event("MODIFIED", apiVersion, kind, object);
        }

        byte[] bookmark(byte[] object) {
            return Objects.event("BOOKMARK", apiVersion, kind, object);
        }
    }
}
