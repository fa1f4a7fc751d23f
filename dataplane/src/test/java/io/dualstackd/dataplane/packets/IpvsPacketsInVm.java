package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ProxyMode;

/** Run by hand and by test-vms, inside a kernel that has IPVS; named so that a build elsewhere leaves it out. */
public final class IpvsPacketsInVm extends ScenarioContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPVS;
    }

    @Override
    protected DataplaneUnderTest open(Lab lab) {
        return new NativeIpvs(lab.node());
    }
}
