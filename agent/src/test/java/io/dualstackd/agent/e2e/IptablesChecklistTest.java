package io.dualstackd.agent.e2e;

import io.dualstackd.dataplane.model.ProxyMode;

final class IptablesChecklistTest extends ChecklistContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }
}
