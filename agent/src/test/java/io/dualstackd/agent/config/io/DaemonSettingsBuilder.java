package io.dualstackd.agent.config.io;

import io.dualstackd.agent.config.PodSettings;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.reconcile.SyncIntervals;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.NodeSettings;
import io.dualstackd.pages.health.ProxyAddresses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Builds {@link DaemonSettings} for a test: a daemon that syncs at once after a change and otherwise every ten hours, leaves nothing on
 * disk, serves no HTTP, and follows no container runtime.
 */
public final class DaemonSettingsBuilder {
    private final ProxyMode mode;
    private final SourceSettings source;
    private final NetNs ns;
    private final NodeSettings node;
    private Optional<Path> state = Optional.empty();
    private SyncIntervals intervals = new SyncIntervals(Duration.ZERO, Duration.ofHours(10));
    private ProxyAddresses endpoints = ProxyAddresses.NONE;
    private PodSettings pods = PodSettings.NONE;
    private Optional<Duration> drainTcpAfter = Optional.empty();

    private DaemonSettingsBuilder(ProxyMode mode, SourceSettings source, NetNs ns, NodeSettings node) {
        this.mode = mode;
        this.source = source;
        this.ns = ns;
        this.node = node;
    }

    public static DaemonSettingsBuilder daemon(ProxyMode mode, SourceSettings source, NetNs ns, NodeSettings node) {
        return new DaemonSettingsBuilder(mode, source, ns, node);
    }

    /** With a folder the daemon may write to. */
    public DaemonSettingsBuilder state(Path folder) {
        state = Optional.of(folder);
        return this;
    }

    public DaemonSettingsBuilder intervals(SyncIntervals value) {
        intervals = value;
        return this;
    }

    public DaemonSettingsBuilder endpoints(ProxyAddresses value) {
        endpoints = value;
        return this;
    }

    public DaemonSettingsBuilder pods(PodSettings value) {
        pods = value;
        return this;
    }

    public DaemonSettingsBuilder drainTcpAfter(Optional<Duration> value) {
        drainTcpAfter = value;
        return this;
    }

    public DaemonSettings settings() {
        return DaemonSettings.builder(mode, source, ns, node, intervals)
                .state(state)
                .endpoints(endpoints)
                .pods(pods)
                .drainTcpAfter(drainTcpAfter)
                .build();
    }
}
