package io.dualstackd.dataplane.io.ipvs;

import io.dualstackd.dataplane.diff.ReadResult;
import io.dualstackd.dataplane.ipvs.FoundServers;
import io.dualstackd.dataplane.ipvs.Step;
import io.dualstackd.netlink.io.IpvsClient;
import io.dualstackd.netlink.io.NetlinkConnection;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ipvs.IpvsChange;
import io.dualstackd.netlink.ipvs.IpvsDestination;
import io.dualstackd.netlink.ipvs.IpvsKey;
import io.dualstackd.netlink.ipvs.IpvsService;
import io.dualstackd.netlink.sys.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** IPVS of one family through two netlink sockets: one for virtual servers, one for addresses. */
final class NetlinkIpvsKernel implements IpvsKernel {
    private final IpFamily family;
    private final NetlinkSockets sockets;
    private @Nullable IpvsClient servers;
    private @Nullable RouteClient links;
    private OptionalInt link = OptionalInt.empty();

    NetlinkIpvsKernel(IpFamily family, NetlinkSockets sockets) {
        this.family = family;
        this.sockets = sockets;
    }

    private interface Asking<T> {
        T run() throws NetlinkException;
    }

    private <T> ReadResult<T> reading(Asking<T> asking) {
        try {
            return new ReadResult.Found<>(asking.run());
        } catch (NetlinkException e) {
            disconnect();
            return new ReadResult.Failed<>(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public ReadResult<FoundServers> read() {
        // The link may be another one by now.
        link = OptionalInt.empty();
        return reading(() -> {
            Map<IpvsKey.At, FoundServers.Found> found = new HashMap<>();
            for (IpvsService.Listed each : servers().services()) {
                IpvsService service = each.service();
                Optional<IpvsKey.At> key = ofFamily(service);
                if (key.isPresent()) {
                    found.put(key.get(), new FoundServers.Found(service, weightsOf(key.get())));
                }
            }
            return new FoundServers(found, ServiceLink.addresses(links(), family));
        });
    }

    @Override
    public ReadResult<Outline> outline() {
        return reading(() -> {
            Map<IpvsKey.At, IpvsService> found = new HashMap<>();
            for (IpvsService.Listed each : servers().services()) {
                ofFamily(each.service()).ifPresent(key -> found.put(key, each.service()));
            }
            return new Outline(found, ServiceLink.addresses(links(), family));
        });
    }

    @Override
    public ReadResult<Map<IpPort, Integer>> weights(IpvsKey.At server) {
        return reading(() -> weightsOf(server));
    }

    private Map<IpPort, Integer> weightsOf(IpvsKey.At server) throws NetlinkException {
        Map<IpPort, Integer> weights = new HashMap<>();
        for (IpvsDestination.Listed listed : servers().destinations(server)) {
            weights.put(listed.destination().address(), FoundServers.weight(listed.destination()));
        }
        return weights;
    }

    private Optional<IpvsKey.At> ofFamily(IpvsService service) {
        return service.key() instanceof IpvsKey.At at && at.family() == family ? Optional.of(at) : Optional.empty();
    }

    @Override
    public ReadResult<Set<IpPort>> idle(IpvsKey.At server, Set<IpPort> destinations) {
        return reading(() -> {
            Set<IpPort> idle = new HashSet<>(destinations);
            for (IpvsDestination.Listed listed : servers().destinations(server)) {
                if (listed.active() + listed.inactive() > 0) {
                    idle.remove(listed.destination().address());
                }
            }
            return idle;
        });
    }

    @Override
    public Done make(List<Step> steps) {
        List<RefusedStep> refused = new ArrayList<>();
        Sum sum = new Sum();
        try {
            int next = 0;
            while (next < steps.size()) {
                int first = next;
                switch (steps.get(first)) {
                    case Step.Change ignored -> {
                        while (next < steps.size() && steps.get(next) instanceof Step.Change) {
                            next++;
                        }
                        change(steps.subList(first, next), refused, sum);
                    }
                    case Step.Hold hold -> {
                        next++;
                        address(hold, hold.address(), true, refused, sum);
                    }
                    case Step.Release release -> {
                        next++;
                        address(release, release.address(), false, refused, sum);
                    }
                }
            }
        } catch (NetlinkException e) {
            disconnect();
            return new Done.Unreachable(String.valueOf(e.getMessage()));
        }
        return new Done.Made(refused, sum.messages, sum.bytes);
    }

    private static final class Sum {
        private int messages;
        private long bytes;
    }

    private void change(List<Step> steps, List<RefusedStep> refused, Sum sum) throws NetlinkException {
        List<IpvsChange> changes = new ArrayList<>(steps.size());
        for (Step step : steps) {
            if (step instanceof Step.Change change) {
                changes.add(change.change());
            }
        }
        for (IpvsClient.Refused one : servers().apply(changes)) {
            IpvsChange change = changes.get(one.index());
            if (!IpvsClient.isDone(change, one.refusal().errno())) {
                refused.add(new RefusedStep(steps.get(one.index()), IpvsAdvice.of(change, one.refusal())));
            }
        }
        sum.messages += changes.size();
        sum.bytes += servers().bytes();
    }

    private void address(Step step, Ip ip, boolean hold, List<RefusedStep> refused, Sum sum) throws NetlinkException {
        sum.messages++;
        try {
            if (link.isEmpty()) {
                link = OptionalInt.of(ServiceLink.ensure(links()));
            }
            if (hold) {
                ServiceLink.hold(links(), link.getAsInt(), ip);
            } else {
                ServiceLink.release(links(), link.getAsInt(), ip);
            }
        } catch (NetlinkException.Refused e) {
            // Another program may have removed the link: the next attempt makes it anew.
            link = OptionalInt.empty();
            refused.add(new RefusedStep(step, IpvsAdvice.ofLink(e)));
        }
    }

    private IpvsClient servers() throws NetlinkException {
        IpvsClient known = servers;
        if (known == null) {
            known = IpvsClient.open(new NetlinkConnection(sockets.open(NlProtocol.GENERIC)))
                    .orElseThrow(() -> new NetlinkException.Refused(
                            IpvsAdvice.MISSING, io.dualstackd.netlink.io.Refusal.of(0, Errno.ENOENT)));
            servers = known;
        }
        return known;
    }

    private RouteClient links() throws NetlinkException {
        RouteClient known = links;
        if (known == null) {
            known = new RouteClient(new NetlinkConnection(sockets.open(NlProtocol.ROUTE)));
            links = known;
        }
        return known;
    }

    private void disconnect() {
        if (servers != null) {
            servers.close();
            servers = null;
        }
        if (links != null) {
            links.close();
            links = null;
        }
        link = OptionalInt.empty();
    }

    @Override
    public void close() {
        disconnect();
    }
}
