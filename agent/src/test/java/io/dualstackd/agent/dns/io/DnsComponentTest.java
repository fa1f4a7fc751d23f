package io.dualstackd.agent.dns.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kernel")
final class DnsComponentTest {
    private static final DnsSettings SETTINGS = new DnsSettings(
            List.of(new DnsSettings.Listen.Address(new IpPort(Ip.parse("127.0.0.1"), 53))),
            DnsName.parse("cluster.local"),
            new DnsSettings.Upstream.None(),
            List.of(),
            List.of(),
            Duration.ofSeconds(30));

    /** It is tried again; that the thread which is not there yet is silent must not end the process. */
    @Test
    void aServerThatCannotBeOpenedIsNotSilent() throws Exception {
        List<String> ended = new CopyOnWriteArrayList<>();
        NetNs closed = NetNs.current();
        closed.close();
        DnsComponent.Node node =
                new DnsComponent.Node("n1", closed, List::of, List::of, List::of, List.of(), () -> false);
        try (Supervisor supervisor = new Supervisor(
                (why, cause) -> ended.add(why),
                component -> switch (component) {
                    case DNS, UI, SUPERVISOR -> Duration.ofMillis(100);
                    default -> Duration.ofHours(1);
                },
                System::nanoTime)) {
            supervisor.start();
            try (DnsComponent ignored = DnsComponent.start(SETTINGS, node, new Store(), supervisor);
                    // Checked after it, and overdue at the same time.
                    Supervisor.Row silent = supervisor.heartbeat(Component.UI)) {
                await().until(() -> ended.stream().anyMatch(why -> why.startsWith("component " + Component.UI)));
                assertThat(ended).noneMatch(why -> why.startsWith("component " + Component.DNS + " "));
                assertThat(silent.longestWait()).isPositive();
            }
        }
    }
}
