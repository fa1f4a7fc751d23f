package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import java.io.Closeable;
import java.util.List;

/** Whatever programs the node of the laboratory. */
public interface DataplaneUnderTest extends Closeable {
    ProxyMode mode();

    /** Puts these Services of one family in force, and no others; the other family stays as it is. */
    void program(NodeView node, List<ServiceView> services) throws Exception;
}
