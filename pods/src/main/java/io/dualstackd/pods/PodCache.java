package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod.PodSandbox;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The known pods of this node, and how a new list of the runtime changes them. Immutable.
 *
 * <p>A list is cheap but holds no addresses; the status of a sandbox holds them but is expensive. So the status is requested only for
 * sandboxes that are new or whose state changed.
 */
public final class PodCache {
    /** No pods are known. */
    public static final PodCache EMPTY = new PodCache(Map.of(), List.of());

    private static final String KUBELETS_OWN = "io.kubernetes.";

    /** No runtime adds this label itself. */
    private static final String KUBELETS_UID = "io.kubernetes.pod.uid";

    private record Entry(Relist.OfPod listed, Pod pod) {}

    private final Map<Relist.PodId, Entry> entries;
    private final Pods pods;

    private PodCache(Map<Relist.PodId, Entry> entries, List<Ip> nodeIps) {
        this.entries = entries;
        this.pods = new Pods(entries.values().stream().map(Entry::pod).toList(), nodeIps);
    }

    public Pods pods() {
        return pods;
    }

    /** Ids of the sandboxes whose status must be requested before {@link #next}: at most one for each pod. */
    public List<String> toLookAt(Relist relist) {
        List<String> ids = new ArrayList<>();
        relist.byPod().forEach((id, listed) -> {
            Entry before = entries.get(id);
            if (before == null || !isKnown(before.pod, listed.newest())) {
                ids.add(listed.newest().id());
            }
        });
        return List.copyOf(ids);
    }

    /** A ready sandbox with a network of its own but without an address is not fully known: it may still get one. */
    private static boolean isKnown(Pod pod, Sandbox newest) {
        PodSandbox sandbox = pod.sandbox();
        boolean waiting = sandbox.ready() && !pod.onHostNetwork() && pod.ips().isEmpty();
        return isOf(sandbox, newest) && sandbox.known() && sandbox.ready() == newest.ready() && !waiting;
    }

    /**
     * @param reports by sandbox id; a sandbox whose status could not be read is missing and keeps what was known of it
     * @return this, when nothing has changed
     */
    public PodCache next(Relist relist, Map<String, SandboxReport> reports, NodeNames node) {
        Map<Relist.PodId, Entry> next = new TreeMap<>();
        boolean same = relist.byPod().size() == entries.size();
        boolean onHostNetwork = false;
        for (Map.Entry<Relist.PodId, Relist.OfPod> one : relist.byPod().entrySet()) {
            Entry before = entries.get(one.getKey());
            SandboxReport report = reports.get(one.getValue().newest().id());
            Entry now = entry(one.getKey().uid(), one.getValue(), before, report, node);
            same &= now.equals(before);
            onHostNetwork |= now.pod.onHostNetwork();
            next.put(one.getKey(), now);
        }
        List<Ip> nodeIps = onHostNetwork ? node.ips() : List.of();
        return same && nodeIps.equals(pods.nodeIps()) ? this : new PodCache(next, nodeIps);
    }

    private static Entry entry(
            String uid, Relist.OfPod listed, @Nullable Entry before, @Nullable SandboxReport report, NodeNames node) {
        Optional<Pod> old = Optional.ofNullable(before).map(Entry::pod);
        Sandbox newest = listed.newest();
        if (report == null
                && before != null
                && before.listed.equals(listed)
                && isKnown(before.pod, newest)
                && !before.pod.onHostNetwork()
                && before.pod.ips().equals(PodIps.reordered(before.pod.ips(), node.preferred()))) {
            return before;
        }
        Seen seen = seen(listed, old, Optional.ofNullable(report), node);
        Pod pod = new Pod(
                listed.name().namespace(),
                listed.name().name(),
                uid,
                seen.sandbox,
                seen.onHostNetwork,
                seen.ips,
                labels(newest.labels()),
                before != null && before.listed.containers().equals(listed.containers())
                        ? before.pod.containers()
                        : containers(listed.containers()));
        return new Entry(listed, pod);
    }

    private record Seen(PodSandbox sandbox, boolean onHostNetwork, List<Ip> ips) {}

    private static Seen seen(Relist.OfPod listed, Optional<Pod> old, Optional<SandboxReport> report, NodeNames node) {
        Sandbox newest = listed.newest();
        Optional<Pod> same = old.filter(pod -> isOf(pod.sandbox(), newest));
        if (report.isEmpty()) {
            // The status could not be read, or was not needed.
            boolean host = same.filter(Pod::onHostNetwork).isPresent();
            List<Ip> ips = same.map(Pod::ips).orElse(List.of());
            PodSandbox sandbox = sandbox(
                    newest,
                    newest.ready(),
                    same.map(pod -> pod.sandbox().process()).orElse(0),
                    same.filter(pod -> isKnown(pod, newest)).isPresent());
            return new Seen(
                    sandbox,
                    host,
                    host ? PodIps.onHostNetwork(ips, node.ips()) : PodIps.reordered(ips, node.preferred()));
        }
        List<Ip> last = old.map(Pod::ips).orElse(List.of());
        boolean olderReady = listed.sandboxes().stream().skip(1).anyMatch(Sandbox::ready);
        if (report.get().status().isEmpty()) {
            return new Seen(sandbox(newest, false, 0, false), false, olderReady ? List.of() : last);
        }
        SandboxReport.Status status = report.get().status().get();
        boolean ready = status.ready();
        boolean host = status.onHostNetwork();
        List<Ip> ips = ready ? reported(status, node) : List.of();
        if (ips.isEmpty() && (host || !(ready || olderReady))) {
            ips = last;
        }
        return new Seen(
                sandbox(newest, ready, report.get().process(), true),
                host,
                host ? PodIps.onHostNetwork(ips, node.ips()) : ips);
    }

    private static PodSandbox sandbox(Sandbox listed, boolean ready, int process, boolean known) {
        return new PodSandbox(
                listed.id(),
                listed.metadata().orElseThrow().attempt(),
                Instant.ofEpochSecond(0, listed.createdAt()),
                ready,
                process,
                known,
                listed.labels().containsKey(KUBELETS_UID));
    }

    private static List<Ip> reported(SandboxReport.Status status, NodeNames node) {
        List<String> raw = status.network()
                .map(network -> PodIps.asReported(network.ip(), network.additionalIps()))
                .orElse(List.of());
        return PodIps.sorted(raw, node.preferred());
    }

    /** Returns the pod's own labels, which selectors match; the labels that kubelet adds for the runtime are removed. */
    private static Map<String, String> labels(Map<String, String> labels) {
        return labels.entrySet().stream()
                .filter(label -> !label.getKey().startsWith(KUBELETS_OWN))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static List<PodContainer> containers(List<Container> listed) {
        Map<String, PodContainer> newest = new HashMap<>();
        for (Container container : listed) {
            Container.Metadata metadata = container.metadata().orElse(new Container.Metadata(container.id(), 0));
            PodContainer read = new PodContainer(
                    metadata.name(),
                    metadata.attempt(),
                    container.state(),
                    ContainerPorts.read(container.annotations().getOrDefault(ContainerPorts.ANNOTATION, "")));
            newest.merge(read.name(), read, (a, b) -> a.restarts() > b.restarts() ? a : b);
        }
        return new TreeMap<>(newest).values().stream().toList();
    }

    private static boolean isOf(PodSandbox sandbox, Sandbox listed) {
        return sandbox.id().equals(listed.id());
    }
}
