package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.process.ChildJvm;
import io.dualstackd.netlink.process.OpenFiles;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.channel.epoll.Epoll;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that reads an API server, for tests that take its file descriptors away. The argument is the server's port. Each line on its
 * input is a command, each command is answered by one line.
 */
final class DescriptorsChild {
    private final Store store = new Store();
    private final int port;
    private @Nullable ClusterSource source;

    private DescriptorsChild(int port) {
        this.port = port;
    }

    public static void main(String[] arguments) throws Throwable {
        ChildJvm.loadClasses(
                ".*/(kubeapi|supervision)/.*", ClusterSource.class, Supervisor.class, DescriptorsChild.class);
        DescriptorsChild child = new DescriptorsChild(Integer.parseInt(arguments[0]));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(child.answer(line));
            }
        }
        System.exit(0);
    }

    private String answer(String command) throws Throwable {
        return switch (command) {
            case "start" -> start();
            case "start without" -> {
                Epoll.isAvailable();
                long before = OpenFiles.limit(OpenFiles.NO_MORE);
                try {
                    yield start();
                } finally {
                    OpenFiles.limit(before);
                }
            }
            case "take" -> Long.toString(OpenFiles.limit(OpenFiles.NO_MORE));
            case "give" -> Long.toString(OpenFiles.limit(4096));
            case "services" -> store.isSynced() + " " + store.size().services();
            case "trouble" ->
                source().status().failure().map(ResourceFailure::what).orElse("none");
            case "call" -> source().calls().get("/version").toString();
            default -> "unknown";
        };
    }

    private ClusterSource source() {
        return Objects.requireNonNull(source, "not started");
    }

    private String start() {
        try {
            source = new ClusterSource(
                            new ClusterAccess(
                                    false,
                                    "127.0.0.1",
                                    port,
                                    "",
                                    Optional.empty(),
                                    Optional.empty(),
                                    false,
                                    Optional.empty()),
                            Credentials.NONE,
                            new ClusterSettings(Optional.empty(), Optional.empty(), WireFormat.PROTOBUF, 0, 0),
                            new ClusterSource.Wanted("n1", true),
                            store,
                            ClusterSource.Callbacks.NONE,
                            new ClusterSource.Network(ApiTransport.system(), Map.of()),
                            new ApiTimeouts(
                                    new ReflectorState.Waits(Duration.ofMillis(20), Duration.ofMillis(100)),
                                    Duration.ofMinutes(1),
                                    Duration.ofMinutes(1),
                                    Duration.ofMinutes(5),
                                    Duration.ofMinutes(1),
                                    Duration.ofMinutes(1)),
                            Supervisor.none())
                    .begin();
            return "started";
        } catch (IOException e) {
            return "refused: " + e.getMessage();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }
}
