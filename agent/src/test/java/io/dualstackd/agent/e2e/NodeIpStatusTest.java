package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running daemon reports about node IPs that its host does not have. */
@Tag("kernel")
final class NodeIpStatusTest {
    private static final String MISSING =
            "failed to validate nodeIP: node IP: \"203.0.113.77\" not found in the host's network interfaces";

    @TempDir
    private Path folder;

    @Test
    void statusBeginsWithAddressThatNoInterfaceHas() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.start("--node-ips", "203.0.113.77").awaitInForce();
            HostUnderTest.Ended status =
                    host.run("status", "--admin-socket", host.socket().toString());
            assertThat(status.out().lines().limit(2).toList())
                    .satisfiesExactly(
                            first -> assertThat(first).endsWith("DEGRADED"),
                            second -> assertThat(second)
                                    .isEqualTo("reasons    this node has no address: " + MISSING
                                            + "; give the host that address, or change --node-ips"));
            HostUnderTest.Ended addresses =
                    host.run("addresses", "--admin-socket", host.socket().toString());
            assertThat(addresses.exitCode()).isEqualTo(1);
            assertThat(addresses.err()).contains("dualstackd: warning: " + MISSING);
        }
    }

    @Test
    void addressesShowsWhatTheDaemonUses() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.commands().run("ip", "link", "add", "eth9", "type", "veth", "peer", "name", "eth8");
            host.commands().run("ip", "address", "add", "192.0.2.77/24", "dev", "eth9");
            host.commands().run("ip", "link", "set", "eth9", "up");
            host.start("--node-ips", "192.0.2.77").awaitInForce();
            HostUnderTest.Ended used =
                    host.run("addresses", "--admin-socket", host.socket().toString());
            assertThat(used.out().lines().limit(2).toList())
                    .satisfiesExactly(
                            heading -> assertThat(heading).matches("ADDRESS +TYPE +WHY"),
                            row -> assertThat(row).matches("192.0.2.77 +InternalIP +192.0.2.77: .*"));
            HostUnderTest.Ended flags = host.run(
                    "addresses",
                    "--node-ips",
                    "ipv4",
                    "--admin-socket",
                    host.socket().toString());
            assertThat(flags.exitCode()).isEqualTo(2);
            assertThat(flags.err()).contains("--node-ips is for this host, and a running daemon has its own");
        }
    }
}
