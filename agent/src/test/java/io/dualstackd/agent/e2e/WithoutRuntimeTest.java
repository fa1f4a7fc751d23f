package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.route.LinkChange;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that follows no container runtime has nothing of the libraries that would speak with one in its memory. */
@Tag("kernel")
final class WithoutRuntimeTest {
    @TempDir
    private Path folder;

    @Test
    void nothingOfGrpcIsLoaded() throws Exception {
        Path loaded = folder.resolve("loaded");
        Launch launch = Launch.usual().with("-Xlog:class+load=info:file=" + loaded);
        try (HostUnderTest host = HostUnderTest.in(folder, launch)) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            try (RouteClient links = RouteClient.open(host.ns())) {
                // Where loopback is down the JDK finds no IPv6, and the pages are on sockets of Netty.
                links.change("lo", new LinkChange.Up());
            }
            RunningDaemon daemon = host.start();
            daemon.awaitInForce();
            assertThat(daemon.terminate()).isZero();
        }
        assertThat(Files.readString(loaded))
                .contains(" io.dualstackd.agent.app.Daemon ")
                .doesNotContainPattern(
                        " (io\\.grpc|io\\.netty|com\\.google|io\\.dualstackd\\.dns\\.io|io\\.dualstackd\\.cri)\\.");
    }
}
