package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.sys.Capabilities;
import io.dualstackd.netlink.sys.ChildJvm;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.NlWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this process cannot do to itself: signals in every system call, and missing privileges. */
@Tag("kernel")
class HostileSurroundingsTest {
    @Test
    void signalsInEverySystemCallChangeNothing(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("strace.log");
        // Every second call of each kind ends with EINTR before the kernel does anything.
        List<String> strace = List.of(
                "strace",
                "-f",
                "--seccomp-bpf",
                "-o",
                log.toString(),
                "-e",
                "trace=sendto,recvfrom,poll",
                "-e",
                "inject=sendto,recvfrom,poll:error=EINTR:when=1+2");
        assertThat(ChildJvm.run(strace, List.of(), Lists.class)).isEqualTo("lo br0\nSilence[]\n");
        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.contains("sendto(") && line.contains("INJECTED"))
                .anyMatch(line -> line.contains("recvfrom(") && line.contains("INJECTED"))
                .anyMatch(line -> line.contains("poll(") && line.contains("INJECTED"));
    }

    @Test
    void withoutNetAdminReadingWorksAndWritingIsRefusedInWords() throws Exception {
        List<String> without = List.of("setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin");
        assertThat(ChildJvm.run(without, List.of(), Unprivileged.class).lines())
                .containsExactly(
                        "net admin: false",
                        "lo",
                        "add link br0: EPERM (1) Operation not permitted",
                        "send 8388608 bytes to NETLINK_ROUTE: send to kernel: EMSGSIZE (90) Message too long");
    }

    static final class Lists {
        private Lists() {}

        public static void main(String[] args) throws Exception {
            try (NetNs ns = FreshNetNs.create();
                    RouteClient client = RouteClient.open(ns);
                    NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns)) {
                client.addBridge("br0");
                System.out.println(String.join(
                        " ", client.links().stream().map(link -> link.name()).toList()));
                System.out.println(socket.receive(Duration.ofMillis(20)));
            }
        }
    }

    static final class Unprivileged {
        private Unprivileged() {}

        public static void main(String[] args) throws Exception {
            System.out.println("net admin: " + Capabilities.current().has(Capabilities.NET_ADMIN));
            try (NetNs ns = FreshNetNs.create();
                    RouteClient client = RouteClient.open(ns);
                    NlSocket socket = NlSocket.open(NlProtocol.ROUTE, ns)) {
                System.out.println(client.links().getFirst().name());
                try {
                    client.addBridge("br0");
                } catch (NetlinkException.Refused e) {
                    System.out.println(e.getMessage());
                }
                NlWriter large = new NlWriter();
                large.zeros(8 << 20);
                try {
                    socket.send(large);
                } catch (NetlinkException.Failed e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }
}
