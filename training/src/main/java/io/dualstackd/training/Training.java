package io.dualstackd.training;

import io.dualstackd.agent.Main;
import io.dualstackd.agent.log.io.LogToTheEnd;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A training run of the daemon for the JVM's ahead-of-time cache; used only by {@code bin/runtime}, which makes that cache. It runs two
 * real daemons, one for each mode, in network namespaces of their own, with a few hundred Services, changes, and the usual commands; or one
 * daemon with an API server. All run in one process, because a cache is made from one; the API server is another process, because the
 * daemon needs nothing of what it loads.
 */
final class Training {
    private static final int SERVICES = 300;
    private static final int CHANGES = 200;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Path folder;

    private Training(Path folder) {
        this.folder = folder;
    }

    /** Runs the training. The argument is an empty folder. */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.util.logging.manager", LogToTheEnd.class.getName());
        new Training(Path.of(arguments[0])).run();
        // Ends the daemons as SIGTERM does.
        System.exit(0);
    }

    private void run() throws Exception {
        if (Files.exists(serverPort())) {
            inCluster();
        } else {
            standalone();
        }
    }

    /** The server makes the changes. Its commands use the other cache, and the other mode is loaded as fast without. */
    private void inCluster() throws IOException, InterruptedException {
        // The network namespace in which the server listens.
        start("nftables", NetNs.current(), List.of("--kubeconfig=" + kubeconfig()));
        Thread.sleep(PAUSE.multipliedBy(CHANGES));
        awaitHealthy(socket("nftables"));
    }

    private void standalone() throws IOException, InterruptedException {
        Path manifests = Files.createDirectories(folder.resolve("manifests"));
        Files.writeString(manifests.resolve("all.yaml"), services());
        for (String mode : List.of("iptables", "nftables")) {
            start(mode, NetNs.create(), List.of("--standalone", "--manifests=" + manifests));
        }
        for (int version = 0; version < CHANGES; version++) {
            Path fresh = Files.writeString(folder.resolve("fresh"), one(0, version % 250 + 1));
            Files.move(fresh, manifests.resolve("changed.yaml"), StandardCopyOption.ATOMIC_MOVE);
            Thread.sleep(PAUSE);
        }
        Path socket = socket("nftables");
        for (String command : List.of(
                "status",
                "status -o json",
                "get services -A",
                "get endpointslices -A -o yaml",
                "describe services/s1 training -")) {
            ask(socket, command.split(" "));
        }
        awaitHealthy(socket);
    }

    private void start(String mode, NetNs ns, List<String> source) throws IOException, InterruptedException {
        try (RouteClient net = RouteClient.open(ns)) {
            net.change("lo", new LinkChange.Up());
        }
        Thread.ofPlatform().daemon().name("daemon-" + mode).start(() -> daemon(ns, mode, source));
        awaitHealthy(socket(mode));
    }

    /** The file to which {@link TrainingServer} writes its port. */
    private Path serverPort() {
        return folder.resolve("port");
    }

    /** As in a DaemonSet: the server's certificate is verified, and a token authenticates the client. */
    private Path kubeconfig() throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%s", certificate-authority: %s}}]
                users: [{name: u, user: {token: training}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(Files.readString(serverPort()), folder.resolve("tls.crt")));
    }

    private Path socket(String mode) {
        return folder.resolve(mode + ".sock");
    }

    private void daemon(NetNs ns, String mode, List<String> source) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--proxy-mode=" + mode,
                "--hostname-override=training",
                "--conntrack-max-per-core=0",
                "--state-dir=" + folder.resolve(mode),
                "--admin-socket=" + socket(mode)));
        arguments.addAll(source);
        try {
            int code = ns.call(() -> execute(System.err, arguments.toArray(String[]::new)));
            System.err.println("the daemon in " + mode + " mode ended with " + code);
        } catch (Exception e) {
            System.err.println("the daemon in " + mode + " mode cannot be started: " + e);
        }
        // It never ends by itself when all is well.
        Runtime.getRuntime().halt(1);
    }

    private static void awaitHealthy(Path socket) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.exists(socket) || ask(socket, "status") != 0) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("not healthy within " + TIMEOUT.toSeconds() + " s");
            }
            Thread.sleep(PAUSE);
        }
    }

    private static int ask(Path socket, String... command) {
        String[] all = Arrays.copyOf(command, command.length + 1);
        all[command.length] = "--admin-socket=" + socket;
        return execute(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), all);
    }

    private static int execute(PrintStream out, String... arguments) {
        return Main.execute(out, out, arguments);
    }

    private static String services() {
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= SERVICES; i++) {
            all.append(one(i, 1));
        }
        return all.toString();
    }

    private static String one(int number, int endpoint) {
        int high = number / 250;
        int low = number % 250 + 1;
        return String.format(Locale.ROOT, """
                ---
                {apiVersion: v1, kind: Service, metadata: {name: s%1$d, namespace: training},
                 spec: {ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6], clusterIP: 10.96.%2$d.%3$d,
                  clusterIPs: [10.96.%2$d.%3$d, 'fd00:96::%2$d:%3$d'], ports: [{name: http, protocol: TCP, port: 80}]}}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s%1$d-4, namespace: training, labels: {kubernetes.io/service-name: s%1$d}}
                addressType: IPv4
                ports: [{name: http, protocol: TCP, port: 8080}]
                endpoints:
                - {addresses: [10.244.%2$d.%3$d], conditions: {ready: true}}
                - {addresses: [10.245.%2$d.%4$d], conditions: {ready: true}}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s%1$d-6, namespace: training, labels: {kubernetes.io/service-name: s%1$d}}
                addressType: IPv6
                ports: [{name: http, protocol: TCP, port: 8080}]
                endpoints:
                - {addresses: ['fd00:244::%2$d:%3$d'], conditions: {ready: true}}
                - {addresses: ['fd00:245::%2$d:%4$d'], conditions: {ready: true}}
                """, number, high, low, endpoint);
    }
}
