package io.dualstackd.agent.faults;

import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An API server over TLS in a namespace of its own, as far as a node agent sees one, with faults to order. */
final class FakeApiServer implements AutoCloseable {
    private final ObjectStore objects = new ObjectStore();
    private final ServerFaults faults = new ServerFaults();
    private final NetNs where;
    private final Path folder;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile ServerKeys keys;
    private volatile SSLContext tls;
    private volatile @Nullable ServerSocket listening;

    private FakeApiServer(NetNs where, Path folder) throws IOException {
        this.where = where;
        this.folder = folder;
        this.keys = ServerKeys.fresh();
        this.tls = keys.tls();
        writeAuthority();
    }

    static FakeApiServer start(NetNs where, Path folder) throws Exception {
        FakeApiServer server = new FakeApiServer(where, folder);
        server.listen();
        return server;
    }

    ObjectStore objects() {
        return objects;
    }

    ServerFaults faults() {
        return faults;
    }

    /** Its authority stands in a file beside it, as kubelet and cluster tools keep it. */
    Path kubeconfig() throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: faults
                contexts: [{name: faults, context: {cluster: faults, user: faults}}]
                users: [{name: faults, user: {token: faults}}]
                clusters:
                - name: faults
                  cluster: {server: "https://%s:%d", certificate-authority: %s}
                """.formatted(FaultNet.SERVER4, FaultNet.PORT, folder.resolve("ca.crt")));
    }

    private void writeAuthority() throws IOException {
        Path fresh = Files.writeString(folder.resolve("ca.crt.new"), keys.authorityPem());
        Files.move(fresh, folder.resolve("ca.crt"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Another serving certificate, which connections see that begin now; with {@code authority} that is another one, too. */
    void rotate(boolean authority) throws IOException {
        keys = authority ? ServerKeys.fresh() : keys.renewed();
        tls = keys.tls();
        writeAuthority();
    }

    void listen() throws Exception {
        ServerSocket socket = where.call(FakeApiServer::bound);
        listening = socket;
        Thread.ofPlatform().daemon().name("fake-api").start(() -> accept(socket));
    }

    /** The thread that accepted on the socket before holds it in the kernel until it has returned from there. */
    private static ServerSocket bound() throws IOException {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            ServerSocket made = new ServerSocket();
            try {
                made.setReuseAddress(true);
                made.bind(new InetSocketAddress(FaultNet.SERVER4, FaultNet.PORT), 128);
                return made;
            } catch (BindException e) {
                made.close();
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket plain = socket.accept();
                connections.add(plain);
                Thread.ofPlatform().daemon().name("fake-api-connection").start(() -> serve(plain));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket plain) {
        try (plain) {
            plain.setTcpNoDelay(true);
            faults.gate();
            try (Socket secured = tls.getSocketFactory().createSocket(plain, null, true)) {
                ((javax.net.ssl.SSLSocket) secured).setUseClientMode(false);
                new ApiConversation(objects, faults, secured).run();
            }
        } catch (IOException e) {
            // The client has gone, or was sent away.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(plain);
        }
    }

    /** Ends every connection with a reset, as a crash of the server does. */
    void cut() {
        for (Socket each : connections) {
            try {
                each.setSoLinger(true, 0);
                each.close();
            } catch (IOException e) {
                // Gone already.
            }
        }
    }

    /** Ends every connection, and refuses new ones. */
    void down() throws IOException {
        ServerSocket socket = listening;
        if (socket != null) {
            socket.close();
        }
        cut();
    }

    @Override
    public void close() throws IOException {
        down();
        faults.end();
    }
}
