package io.dualstackd.kubeapi.client.io;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.io.Credentials;
import io.dualstackd.kubeapi.client.ClusterSettings;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.channel.epoll.Epoll;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that reads an API server, for tests that take its file descriptors away. The argument is the server's port. Each line on its
 * input is a command, each command is answered by one line.
 */
@SuppressWarnings("restricted")
final class DescriptorsChild {
    private static final int OPEN_FILES = 7;
    /** Fewer than are open already, more than are ever polled at once. */
    private static final long NO_MORE = 8;

    private static final MethodHandle PRLIMIT = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("prlimit").orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private final Store store = new Store();
    private final int port;
    private @Nullable ClusterSource source;

    private DescriptorsChild(int port) {
        this.port = port;
    }

    public static void main(String[] arguments) throws Throwable {
        loadOurClasses();
        DescriptorsChild child = new DescriptorsChild(Integer.parseInt(arguments[0]));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(child.answer(line));
            }
        }
        System.exit(0);
    }

    /** Those in folders could not be read later. */
    private static void loadOurClasses() throws Exception {
        for (Class<?> known : new Class<?>[] {ClusterSource.class, Supervisor.class, DescriptorsChild.class}) {
            URI place =
                    known.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path folder = Path.of(place);
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(folder.resolve("io/dualstackd"))) {
                for (Path file : files.filter(file -> file.toString().endsWith(".class"))
                        .filter(file ->
                                file.toString().matches(".*/(kubeapi|supervision|agent/reconcile|agent/log)/.*"))
                        .toList()) {
                    String name = folder.relativize(file).toString().replace('/', '.');
                    try {
                        Class.forName(
                                name.substring(0, name.length() - ".class".length()),
                                false,
                                DescriptorsChild.class.getClassLoader());
                    } catch (LinkageError e) {
                        // Tests of other things, whose libraries are not on the class path.
                    }
                }
            }
        }
    }

    private String answer(String command) throws Throwable {
        return switch (command) {
            case "start" -> start();
            case "start without" -> {
                Epoll.isAvailable();
                long before = limit(NO_MORE);
                try {
                    yield start();
                } finally {
                    limit(before);
                }
            }
            case "take" -> Long.toString(limit(NO_MORE));
            case "give" -> Long.toString(limit(4096));
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

    /** Changes how many files may be open; returns what it was. */
    private static long limit(long files) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment both = arena.allocate(JAVA_LONG, 2);
            check((int) PRLIMIT.invokeExact(0, OPEN_FILES, MemorySegment.NULL, both));
            long before = both.get(JAVA_LONG, 0);
            both.set(JAVA_LONG, 0, Math.min(files, both.get(JAVA_LONG, JAVA_LONG.byteSize())));
            check((int) PRLIMIT.invokeExact(0, OPEN_FILES, both, MemorySegment.NULL));
            return before;
        }
    }

    private static void check(int result) {
        if (result != 0) {
            throw new IllegalStateException("prlimit failed");
        }
    }
}
