package io.dualstackd.agent.e2e;

import io.dualstackd.dataplane.model.ProxyMode;
import org.junit.jupiter.api.Tag;

@Tag("kernel")
final class IptablesChecklistTest extends ChecklistContract {
    @Override
    protected ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }
}
