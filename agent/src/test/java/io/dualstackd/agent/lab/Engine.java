package io.dualstackd.agent.lab;

import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Docker engine of our own in an {@link IsolatedHost}, with containers on a dual-stack bridge. It writes no rules: every network
 * namespace below is a node's own business.
 */
final class Engine implements AutoCloseable {
    private final LabFolder folder;
    private final NetNs ns;
    private final IsolatedHost isolatedHost;

    private Engine(LabFolder folder, NetNs ns, IsolatedHost isolatedHost) {
        this.folder = folder;
        this.ns = ns;
        this.isolatedHost = isolatedHost;
    }

    /** Returns when it answers. */
    static Engine start() throws Exception {
        LabFolder folder = LabFolder.create();
        NetNs ns = FreshNetNs.create();
        try (RouteClient net = RouteClient.open(ns)) {
            net.change("lo", new LinkChange.Up());
        }
        Engine engine = new Engine(folder, ns, IsolatedHost.around(ns));
        try {
            engine.startDaemon();
            PodLab.eventually().until(() -> Files.exists(engine.socket()));
            return engine;
        } catch (Exception | AssertionError e) {
            e.addSuppressed(new IOException(engine.output()));
            engine.close();
            throw e;
        }
    }

    private void startDaemon() throws IOException {
        Path config = Files.writeString(folder.resolve("daemon.json"), "{}");
        isolatedHost
                .command(List.of(
                        "dockerd",
                        "--config-file=" + config,
                        "--host=unix://" + socket(),
                        "--data-root=/run/engine/data",
                        "--exec-root=/run/engine/exec",
                        "--pidfile=/run/engine/pid",
                        "--cgroup-parent=" + folder.cgroupParent(),
                        "--storage-driver=overlay2",
                        "--iptables=false",
                        "--ip6tables=false",
                        "--ipv6",
                        "--fixed-cidr-v6=fd00:d0c:e::/64"))
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    Path socket() {
        return folder.resolve("docker.sock");
    }

    /** Where its containers are neighbours. */
    NetNs ns() {
        return ns;
    }

    LabFolder folder() {
        return folder;
    }

    private Path log() {
        return folder.resolve("dockerd.log");
    }

    /** Its output so far, for failures. */
    String output() {
        try {
            return Files.readString(log(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "nothing: " + e;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        isolatedHost.close();
        ns.close();
        folder.remove();
    }
}
