package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.IpFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens in the folder is what {@code iptables-save} and {@code ip6tables-save} show. */
@Tag("kernel")
final class FolderTest {
    private static final String WEB = "e2e/web";

    @TempDir
    private Path folder;

    private HostUnderTest host;
    private RunningDaemon daemon;

    @BeforeEach
    void start() throws Exception {
        host = HostUnderTest.in(folder);
        host.put("web.yaml", web(2));
        host.put("dns.yaml", Manifests.service("dns", 2, "") + Manifests.slices("dns", 100, 1));
        daemon = host.start();
        daemon.awaitInForce();
    }

    @AfterEach
    void end() throws Exception {
        host.close();
    }

    private static String web(int endpoints) {
        return Manifests.service("web", 1, "") + Manifests.slices("web", 0, endpoints);
    }

    private List<String> lines(IpFamily family, String service) throws Exception {
        return host.listing(family).services().getOrDefault(service, List.of());
    }

    private void awaitEndpoints(String service, int count) {
        for (IpFamily family : IpFamily.values()) {
            eventually()
                    .untilAsserted(() -> assertThat(lines(family, service))
                            .filteredOn(line -> line.contains("-j DNAT"))
                            .hasSize(count));
        }
    }

    private List<List<String>> allLines(String service) throws Exception {
        List<List<String>> all = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            all.add(lines(family, service));
        }
        return all;
    }

    private String status() throws Exception {
        return host.run("status", "--admin-socket", host.socket().toString()).out();
    }

    @Test
    void addChangeRenameDelete() throws Exception {
        awaitEndpoints(WEB, 2);
        List<List<String>> dns = allLines("e2e/dns");
        host.put("more.yaml", Manifests.service("more", 3, "") + Manifests.slices("more", 10, 3));
        awaitEndpoints("e2e/more", 3);
        // In place, but never empty meanwhile: that would be worth a warning.
        Files.writeString(host.manifests().resolve("web.yaml"), web(4), StandardOpenOption.WRITE);
        awaitEndpoints(WEB, 4);
        host.put("web.yaml", web(1));
        awaitEndpoints(WEB, 1);
        host.delete("more.yaml");
        for (IpFamily family : IpFamily.values()) {
            eventually()
                    .untilAsserted(() -> assertThat(lines(family, "e2e/more")).isEmpty());
        }
        assertThat(allLines("e2e/dns")).isEqualTo(dns);
        // One number for the whole machine, which a namespace may not be allowed to set.
        assertThat(daemon.log())
                .filteredOn(line -> !line.contains("key=net/netfilter/nf_conntrack_max"))
                // The host of this test has only its loopback.
                .filteredOn(line -> !line.contains("node has no address"))
                .noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
    }

    @Test
    void aBrokenFileKeepsItsPreviousVersionUntilItIsMended() throws Exception {
        List<List<String>> before = allLines(WEB);
        String good = web(3);
        Path file = host.manifests().resolve("web.yaml");
        // Half of it, as a slow writer leaves it for a while.
        Files.writeString(file, good.substring(0, good.indexOf("addressType: IPv4") + 5));
        daemon.awaitLines("manifest refused: web.yaml", 1);
        assertThat(allLines(WEB)).isEqualTo(before);
        assertThat(status()).contains("web.yaml");
        Files.writeString(file, good.substring(good.indexOf("addressType: IPv4") + 5), StandardOpenOption.APPEND);
        awaitEndpoints(WEB, 3);
        before = allLines(WEB);
        Files.writeString(file, "kind: [\n");
        daemon.awaitLines("manifest refused: web.yaml", 2);
        // What comes later is not held up.
        host.put("more.yaml", Manifests.service("more", 3, "") + Manifests.slices("more", 10, 1));
        awaitEndpoints("e2e/more", 1);
        assertThat(allLines(WEB)).isEqualTo(before);
        host.put("web.yaml", web(5));
        awaitEndpoints(WEB, 5);
        eventually().untilAsserted(() -> assertThat(status()).doesNotContain("web.yaml"));
    }

    @Test
    void aThousandEndpointsInOneSlice() throws Exception {
        host.put("web.yaml", web(1000));
        awaitEndpoints(WEB, 1000);
        host.put("web.yaml", web(999));
        awaitEndpoints(WEB, 999);
    }

    @Test
    void aBadServiceIsRefusedWithItsPlaceWhileEverythingElseWorks() throws Exception {
        host.put(
                "mixed.yaml",
                Manifests.service("good", 3, "")
                        + Manifests.slices("good", 10, 2)
                        + Manifests.service("bad", 4, "").replace("port: 80,", "port: 65536,"));
        awaitEndpoints("e2e/good", 2);
        String place = "mixed.yaml:";
        daemon.awaitLines("manifest refused: " + place, 1);
        assertThat(daemon.log())
                .filteredOn(line -> line.contains("manifest refused"))
                .singleElement()
                .asString()
                .contains("(document 4)", "spec.ports[0].port", "65536", "e2e/bad");
        assertThat(status()).contains(place, "(document 4)", "spec.ports[0].port", "65536", "e2e/bad");
        for (IpFamily family : IpFamily.values()) {
            assertThat(lines(family, "e2e/bad")).isEmpty();
        }
        awaitEndpoints(WEB, 2);
    }
}
