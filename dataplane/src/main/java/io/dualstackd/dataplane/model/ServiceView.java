package io.dualstackd.dataplane.model;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * One Service in one family.
 *
 * @param ports in the order of the Service; empty when the Service has no address of this family
 */
public record ServiceView(ServiceKey key, IpFamily family, List<PortView> ports) {
    public ServiceView {
        ports = List.copyOf(ports);
    }
}
