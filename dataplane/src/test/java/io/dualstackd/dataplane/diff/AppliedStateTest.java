package io.dualstackd.dataplane.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.TransactionDraft.AppliedChange;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is kept of tens of thousands of chains and rules is kept once, and small. */
final class AppliedStateTest {
    private static ChainId chain(String name) {
        return new ChainId(Table.NAT, name);
    }

    @Test
    void theNameOfAChainThatWasReadIsThatOfItsFragment() {
        Fingerprint content = new Fingerprint(1, 2);
        AppliedState state = new AppliedState(new HashMap<>(Map.of(chain("KUBE-SVC-A"), content)));
        ChainId wanted = chain("KUBE-SVC-A");
        state.apply(new AppliedChange(
                Map.of(),
                Set.of(),
                Map.of(
                        new Origin.OfService(new ServiceKey("shop", "a")),
                        new AppliedFragment(List.of(wanted, chain("KUBE-SVC-GONE")), List.of(), 3))));
        assertThat(state.contents()).containsExactly(Map.entry(wanted, content));
        assertThat(state.contents().keySet().iterator().next()).isSameAs(wanted);
    }
}
