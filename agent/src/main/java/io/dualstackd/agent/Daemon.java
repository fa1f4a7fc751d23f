package io.dualstackd.agent;

import io.dualstackd.agent.line.LineStatus;
import io.dualstackd.agent.line.io.FamilyLine;
import io.dualstackd.agent.line.io.Nudge;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.agent.node.io.AddressWatch;
import io.dualstackd.agent.source.io.ManifestFolder;
import io.dualstackd.agent.source.io.Store;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.dataplane.io.IptablesPass;
import io.dualstackd.dataplane.io.NetlinkKernel;
import io.dualstackd.dataplane.io.Pass;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Everything that runs, plugged together. Started whole, closed whole; the rules stay in the kernel. */
public final class Daemon implements AutoCloseable {
    /** The safety net behind file notifications. */
    private static final Duration RESCAN = Duration.ofSeconds(10);

    private final Store store;
    private final ManifestFolder manifests;
    private final AddressWatch addresses;
    private final List<FamilyLine> lines;

    private Daemon(Store store, ManifestFolder manifests, AddressWatch addresses, List<FamilyLine> lines) {
        this.store = store;
        this.manifests = manifests;
        this.addresses = addresses;
        this.lines = List.copyOf(lines);
    }

    /**
     * Starts sources, then lines. Returns at once; the rules are in force when the lines say so.
     *
     * @param listener told every new status of a line, on the line's thread
     * @throws IOException when the folder cannot be watched or the kernel does not answer about addresses
     */
    public static Daemon start(DaemonSettings settings, Consumer<LineStatus> listener) throws IOException {
        NodeSettings node = settings.node();
        Store store = new Store();
        Map<IpFamily, Nudge> nudges = new TreeMap<>(Map.of(IpFamily.IPV4, new Nudge(), IpFamily.IPV6, new Nudge()));
        AddressWatch addresses =
                AddressWatch.start(settings.ns(), () -> nudges.values().forEach(Nudge::nudge));
        List<FamilyLine> lines = new ArrayList<>();
        nudges.forEach((family, nudge) -> {
            StoreInput input = new StoreInput(family, node, store, addresses, nudge);
            lines.add(new FamilyLine(family, pass(family, settings), input, nudge, settings.pace(), listener));
        });
        try {
            ManifestFolder manifests = ManifestFolder.watched(settings.manifests(), store, settings.state(), RESCAN);
            lines.forEach(FamilyLine::start);
            return new Daemon(store, manifests, addresses, lines);
        } catch (IOException | RuntimeException e) {
            addresses.close();
            throw e;
        }
    }

    private static Pass pass(IpFamily family, DaemonSettings settings) {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, settings.ns());
        return switch (settings.mode()) {
            case IPTABLES -> IptablesPass.of(family, open);
            case NFTABLES -> throw new UnsupportedOperationException("nftables mode has no pass yet");
        };
    }

    /** One per family. */
    public List<LineStatus> lines() {
        return lines.stream().map(FamilyLine::status).toList();
    }

    /** What is wrong with the manifests now. */
    public List<Problem> problems() {
        return manifests.problems();
    }

    /** Whether the folder has been read completely. */
    public boolean synced() {
        return store.isSynced();
    }

    public Store.Size size() {
        return store.size();
    }

    @Override
    public void close() {
        manifests.close();
        addresses.close();
        lines.forEach(FamilyLine::close);
    }
}
