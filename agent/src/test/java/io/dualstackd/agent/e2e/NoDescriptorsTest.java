package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.io.AdminClient;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that may open no file for a while goes on when it may again. */
@Tag("kernel")
final class NoDescriptorsTest {
    @TempDir
    private Path folder;

    @Test
    void answersQueuedAndLaterRequests() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder)) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables");
            daemon.awaitInForce();
            eventually().until(() -> status(host) instanceof AdminClient.Answer.Report);

            limit(host, daemon, "1:");
            CompletableFuture<AdminClient.Answer> asked = CompletableFuture.supplyAsync(() -> status(host));
            daemon.awaitLines("admin socket cannot accept connections", 1);
            assertThat(asked).isNotDone();
            limit(host, daemon, "4096:");

            assertThat(asked.get(1, TimeUnit.MINUTES)).isInstanceOf(AdminClient.Answer.Report.class);
            assertThat(status(host)).isInstanceOf(AdminClient.Answer.Report.class);
            host.put("more.yaml", Manifests.service("more", 2, "") + Manifests.slices("more", 0, 2));
            daemon.awaitLines(" in force family=IPv4 services=2 ", 1);
        }
    }

    private static AdminClient.Answer status(HostUnderTest host) {
        return AdminClient.status(host.socket(), "text");
    }

    private static void limit(HostUnderTest host, RunningDaemon daemon, String files) throws Exception {
        host.commands().run("prlimit", "--pid", Long.toString(daemon.pid()), "--nofile=" + files);
    }
}
