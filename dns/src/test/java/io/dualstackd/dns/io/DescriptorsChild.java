package io.dualstackd.dns.io;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dualstackd.dns.NettyCodec;
import io.dualstackd.dns.SampleCluster;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.message.DnsAnswer;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process with a server, which takes its own file descriptors away for a while, and prints how questions are answered. */
@SuppressWarnings("restricted")
final class DescriptorsChild {
    private static final int OPEN_FILES = 7;
    /** Fewer than are open already. */
    private static final long NO_MORE = 8;

    private static final int TIMEOUT = 10_000;

    private static final MethodHandle PRLIMIT = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("prlimit").orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private DescriptorsChild() {}

    public static void main(String[] arguments) throws Throwable {
        loadOurClasses();
        try (TestResolver upstream = TestResolver.of(query -> DnsAnswer.failure(DnsResponseCode.NOERROR));
                DnsServer server = DnsServer.open(
                        ServerSettings.defaults(
                                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                                SampleCluster.settings(),
                                ForwardSettings.defaults(List.of(upstream.nameserver()))),
                        DnsSupervision.NONE);
                DatagramSocket client = new DatagramSocket()) {
            client.connect(server.addresses().getFirst());
            client.setSoTimeout(TIMEOUT);
            ask(client, "before.example.com");
            long limit = limit(NO_MORE);
            ask(client, "www.example.com");
            limit(limit);
            ask(client, "www.example.com");
            System.out.println("under way: "
                    + server.figures().get(TIMEOUT, TimeUnit.MILLISECONDS).underway());
        }
        System.exit(0);
    }

    /** Those in folders could not be read later. */
    private static void loadOurClasses() throws Exception {
        for (Class<?> known : List.of(DnsServer.class, DescriptorsChild.class)) {
            Path folder = Path.of(
                    known.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(folder.resolve("io/dualstackd/dns"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
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

    private static void ask(DatagramSocket client, String name) throws IOException {
        TestClient.send(client, NettyCodec.query(1, name, "A", 0));
        try {
            System.out.println(
                    name + ": " + NettyCodec.read(TestClient.receive(client)).code());
        } catch (SocketTimeoutException e) {
            System.out.println(name + ": no answer");
        }
    }

    /** Changes how many files may be open; returns what it was. */
    private static long limit(long files) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment both = arena.allocate(JAVA_LONG, 2);
            check((int) PRLIMIT.invokeExact(0, OPEN_FILES, MemorySegment.NULL, both));
            long before = both.get(JAVA_LONG, 0);
            both.set(JAVA_LONG, 0, files);
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
