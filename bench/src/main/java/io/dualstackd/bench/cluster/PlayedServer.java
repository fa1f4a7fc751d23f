package io.dualstackd.bench.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A simulated API server in a process of its own, with the calls that a node agent uses. It reads commands from its standard input: {@code
 * change N} gives Service 0 another first endpoint; {@code storm RATE SECONDS} does so for all Services in turn.
 */
public final class PlayedServer {
    public static final String CHILD = "apiserver";
    static final char[] PASSWORD = "changeit".toCharArray();

    private final int services;
    private final AtomicLong version = new AtomicLong(1);
    private final List<BlockingQueue<byte[]>> sliceWatches = new CopyOnWriteArrayList<>();

    private PlayedServer(int services) {
        this.services = services;
    }

    /** @param arguments port, number of Services, key store */
    public static void main(List<String> arguments) throws Exception {
        PlayedServer server = new PlayedServer(Integer.parseInt(arguments.get(1)));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(Path.of(arguments.get(2)))) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer http = HttpsServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments.get(0))), 16);
        http.setHttpsConfigurator(new HttpsConfigurator(tls));
        http.setExecutor(Executors.newCachedThreadPool());
        http.createContext("/", server::answer);
        http.start();
        System.out.println("listening");
        server.obey();
        http.stop(0);
        System.exit(0);
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
        byte[] event = Objects.event(
                "MODIFIED",
                "discovery.k8s.io/v1",
                "EndpointSlice",
                Objects.slice(service, family, change, version.incrementAndGet()));
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
            IpFamily family = n % 2 == 0 ? IpFamily.IPV4 : IpFamily.IPV6;
            change(1 + n / 2 % (services - 1), family, 1 + n / 2 / (services - 1));
        }
        System.out.println("stormed " + (System.nanoTime() - start));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        boolean watch = query.contains("watch=true") || query.contains("watch=1");
        boolean known = path.endsWith("/services")
                || path.endsWith("/endpointslices")
                || path.endsWith("/servicecidrs")
                || path.endsWith("/nodes");
        if (!watch || !known) {
            exchange.sendResponseHeaders(known ? 400 : 404, -1);
            exchange.close();
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch");
        exchange.sendResponseHeaders(200, 0);
        BlockingQueue<byte[]> news = new LinkedBlockingQueue<>();
        if (path.endsWith("/endpointslices")) {
            sliceWatches.add(news);
        }
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 65_536)) {
            if (query.contains("sendInitialEvents=true")) {
                initial(path, out);
            }
            out.flush();
            while (true) {
                out.write(news.take());
                for (byte[] more = news.poll(); more != null; more = news.poll()) {
                    out.write(more);
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has disconnected.
        } finally {
            sliceWatches.remove(news);
        }
    }

    private void initial(String path, OutputStream out) throws IOException {
        String kind;
        String api;
        if (path.endsWith("/services")) {
            kind = "Service";
            api = "v1";
            for (int n = 0; n < services; n++) {
                out.write(Objects.event("ADDED", api, kind, Objects.service(n, 1)));
            }
        } else if (path.endsWith("/endpointslices")) {
            kind = "EndpointSlice";
            api = "discovery.k8s.io/v1";
            for (int n = 0; n < services; n++) {
                for (IpFamily family : IpFamily.values()) {
                    out.write(Objects.event("ADDED", api, kind, Objects.slice(n, family, 0, 1)));
                }
            }
        } else if (path.endsWith("/nodes")) {
            kind = "Node";
            api = "v1";
            out.write(Objects.event("ADDED", api, kind, Objects.node(1)));
        } else {
            kind = "ServiceCIDR";
            api = "networking.k8s.io/v1";
        }
        out.write(Objects.event("BOOKMARK", api, kind, Objects.initialEventsEnd(1)));
    }
}
