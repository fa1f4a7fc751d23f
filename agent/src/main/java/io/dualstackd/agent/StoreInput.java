package io.dualstackd.agent;

import io.dualstackd.agent.api.Node;
import io.dualstackd.agent.line.io.LineInput;
import io.dualstackd.agent.line.io.Nudge;
import io.dualstackd.agent.node.NodeSettings;
import io.dualstackd.agent.node.NodeViews;
import io.dualstackd.agent.node.io.AddressWatch;
import io.dualstackd.agent.source.Changes;
import io.dualstackd.agent.source.ServiceState;
import io.dualstackd.agent.source.io.Store;
import io.dualstackd.agent.view.ServiceViews;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store and the node's addresses as one line sees them: its own family only. */
final class StoreInput implements LineInput {
    private static final Logger LOG = LoggerFactory.getLogger("dataplane");

    private final IpFamily family;
    private final NodeSettings settings;
    private final Store store;
    private final AddressWatch addresses;
    private final Store.Cursor cursor;
    private Optional<Node> node = Optional.empty();

    StoreInput(IpFamily family, NodeSettings settings, Store store, AddressWatch addresses, Nudge nudge) {
        this.family = family;
        this.settings = settings;
        this.store = store;
        this.addresses = addresses;
        this.cursor = store.cursor(nudge::nudge);
    }

    @Override
    public boolean complete() {
        return store.isSynced();
    }

    @Override
    public Taken take() {
        Changes changes = cursor.take().orElseThrow(() -> new IllegalStateException("asked before complete"));
        Optional<Node> ownNode = changes.nodes().get(settings.name());
        if (ownNode != null) {
            node = ownNode;
        }
        Map<ServiceKey, Optional<ServiceView>> services = new HashMap<>();
        changes.services().forEach((key, state) -> {
            try {
                services.put(key, view(state));
            } catch (RuntimeException e) {
                // A mistake of ours; it shall cost this Service's change, not what else was taken with it.
                LOG.error("service cannot be read, please report it service={} next=its-rules-stay", key, e);
            }
        });
        return new Taken(view(), services);
    }

    private NodeView view() {
        return NodeViews.of(settings, node, addresses.addresses(family), family);
    }

    private Optional<ServiceView> view(ServiceState state) {
        return state.service().map(service -> ServiceViews.of(service, state.slices(), family, settings.name()));
    }
}
