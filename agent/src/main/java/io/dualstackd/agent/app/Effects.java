package io.dualstackd.agent.app;

import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.host.io.FamilySupport;
import io.dualstackd.agent.host.io.Leftovers;
import io.dualstackd.agent.reconcile.FamilyStatus;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.kubeapi.client.io.ClusterSource;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.MappedFiles;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.io.NameLookup;
import io.dualstackd.pages.health.io.HttpListeners;
import io.dualstackd.pages.health.io.HttpLoop;
import io.dualstackd.pages.health.io.LateIpv6;
import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.io.CriPods;
import io.dualstackd.pods.io.PodRuntime;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything through which a daemon acts on its host and learns of it, besides its clocks and threads, which are those of its supervisor's
 * {@link Platform}, and files, which are {@link java.nio.file.Path}s in the settings. A simulation hands in others.
 *
 * @param netlink sockets to the kernel: rules, connections, links, addresses and routes
 * @param api how the API server is reached; asked in cluster mode only, so that Netty is not loaded without need
 * @param runtime connects to a container runtime
 * @param names resolves the node's name
 * @param http listens for HTTP
 * @param leftovers removes what other modes left
 * @param heap makes the keeper of the heap
 */
public record Effects(
        NetlinkSockets netlink,
        Supplier<ClusterSource.Network> api,
        Cri runtime,
        NameLookup.Resolver names,
        Http http,
        Cleanup leftovers,
        Function<Platform, HeapKeeper> heap) {

    /** Connects to a container runtime. */
    @FunctionalInterface
    public interface Cri {
        PodRuntime open(RuntimeEndpoint endpoint, Supervisor supervisor);
    }

    /** Opens the loop that answers HTTP; closed with the daemon. */
    @FunctionalInterface
    public interface Http {
        HttpListeners open(Supervisor supervisor) throws IOException;
    }

    /** Makes what removes leftovers. */
    @FunctionalInterface
    public interface Cleanup {
        Remover of(DaemonSettings settings, NetlinkKernel.Open open, Generations generations);
    }

    /**
     * Removes leftovers.
     *
     * @param onStatus begins when it receives the first success of a reconciler
     * @param notes what could not be removed yet, and why: one sentence for each
     */
    public record Remover(Consumer<FamilyStatus> onStatus, Supplier<List<String>> notes) {}

    /** The effects on this host, in a network namespace. */
    public static Effects system(NetNs ns) {
        return new Effects(
                NetlinkSockets.of(ns),
                ClusterSource.Network::system,
                CriPods::at,
                NameLookup.Resolver.system(ns),
                supervisor -> http(ns, supervisor),
                (settings, open, generations) -> {
                    Leftovers leftovers = new Leftovers(settings, open, generations);
                    return new Remover(leftovers::onStatus, leftovers::notes);
                },
                platform -> heapOfJvm());
    }

    /** Of the JVM's own files the daemon needs little after its start. */
    private static HeapKeeper heapOfJvm() {
        MappedFiles files = MappedFiles.ofJvm();
        files.release();
        return new HeapKeeper(files::release);
    }

    private static HttpListeners http(NetNs ns, Supervisor supervisor) throws IOException {
        HttpLoop loop = HttpLoop.start(ns, supervisor);
        // The JDK has no IPv6 for ever where there was none when the process started; by now there may be.
        return !FamilySupport.missing(ns).containsKey(IpFamily.IPV6) && !HttpLoop.hasIpv6()
                ? LateIpv6.beside(loop, ns, supervisor)
                : loop;
    }
}
