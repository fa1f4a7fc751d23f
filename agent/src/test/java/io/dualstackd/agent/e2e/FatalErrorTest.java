package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import io.dualstackd.admin.io.AdminClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A daemon that cannot go on ends, so that it is started again; its rules stay in the kernel. */
@Tag("kernel")
final class FatalErrorTest {
    /** What the JVM ends with when it has no memory left. */
    private static final int NO_MEMORY = 3;

    @TempDir
    private Path folder;

    @Test
    void withoutMemoryTheProcessEnds() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder, Launch.usual().with("-Xmx16m"))) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables");
            daemon.awaitInForce();
            // One file is in memory as a whole.
            host.put("large.yaml", "# more than there is room for\n".repeat(1_000_000));
            assertThat(daemon.awaitEnd()).isEqualTo(NO_MEMORY);
            assertThat(host.commands().run("nft", "list", "ruleset")).contains(Manifests.ip4(1), Manifests.ip6(1));
        }
    }

    /** Thrown into the thread from outside, while it waits in the kernel: elsewhere it may meet a lock of the JDK, which then throws another. */
    @ParameterizedTest
    @ValueSource(strings = {"rules", "addresses", "admin", "health"})
    void anErrorInAnyThreadEndsTheProcess(String thread) throws Exception {
        Launch launch = Launch.usual()
                .with("-XX:ErrorFile=" + folder.resolve("crash"))
                .with("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005");
        try (HostUnderTest host = HostUnderTest.in(folder, launch)) {
            host.commands().run("ip", "link", "set", "lo", "up");
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables");
            daemon.awaitInForce();
            eventually().until(() -> AdminClient.status(host.socket(), "text") instanceof AdminClient.Answer.Report);
            VirtualMachine vm = host.ns().call(() -> attach("127.0.0.1", "5005"));
            ThreadReference victim = vm.allThreads().stream()
                    .filter(one -> one.name().equals(thread))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no thread " + thread));
            ObjectReference error = vm.classesByName("java.lang.OutOfMemoryError")
                    .getFirst()
                    .instances(1)
                    .getFirst();
            victim.suspend();
            victim.stop(error);
            victim.resume();
            wake(host, thread);
            // Not with which status: the debugger's agent (libjdwp, threadControl_setPendingInterrupt) may crash in a
            // JVM that
            // halts. What the daemon says comes before.
            assertThat(daemon.awaitEnd()).as(String.join("\n", daemon.log())).isNotZero();
            assertThat(daemon.count("process ends at once")).isOne();
            assertThat(host.commands().run("nft", "list", "ruleset")).contains(Manifests.ip4(1), Manifests.ip6(1));
        }
    }

    /** A thread that waits in the kernel meets the error when it comes back. */
    private static void wake(HostUnderTest host, String thread) throws Exception {
        switch (thread) {
            case "rules" -> host.commands().run("nft", "add", "table", "ip", "foreign");
            case "addresses" -> host.commands().run("ip", "link", "add", "d0", "type", "bridge");
            case "admin" -> AdminClient.status(host.socket(), "text");
            case "health" ->
                host.ns().call(() -> {
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 10256))
                            .close();
                    return true;
                });
            default -> {}
        }
    }

    private static VirtualMachine attach(String host, String port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(one -> one.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue(host);
        Objects.requireNonNull(arguments.get("port")).setValue(port);
        return connector.attach(arguments);
    }
}
