package io.dualstackd.dataplane.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.FragmentImage.ChainImage;
import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
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
        List<Op> steps = new ArrayList<>();
        new TransactionDraft(state.contents(), steps::add)
                .change(
                        new Origin.OfService(new ServiceKey("shop", "a")),
                        AppliedFragment.NOTHING,
                        new FragmentImage(List.of(new ChainImage(wanted, content, List.of())), List.of()));
        assertThat(steps).isEmpty();
        assertThat(state.contents()).containsExactly(Map.entry(wanted, content));
        assertThat(state.contents().keySet().iterator().next()).isSameAs(wanted);
    }

    @Test
    void theDigestOfAReadingIsThatOfAllThatWasRead() {
        KernelRule rule = new KernelRule(7, new Fingerprint(1, 2));
        KernelChains read = new KernelChains(
                Set.of(Table.NAT),
                Map.of(chain("KUBE-SERVICES"), List.of(rule, rule)),
                Map.of(chain("KUBE-SVC-A"), new Fingerprint(1, 2), chain("KUBE-SVC-B"), new Fingerprint(3, 4)));
        KernelChains same = new KernelChains(
                Set.of(Table.NAT),
                new TreeMap<>(Map.of(chain("KUBE-SERVICES"), List.of(rule, rule))),
                new TreeMap<>(read.contents()));
        assertThat(same.digest()).isEqualTo(read.digest());
        assertThat(Stream.of(
                                new KernelChains(Set.of(), read.chains(), read.contents()),
                                new KernelChains(read.complete(), Map.of(), read.contents()),
                                new KernelChains(
                                        read.complete(),
                                        Map.of(chain("KUBE-SERVICES"), List.of(rule)),
                                        read.contents()),
                                new KernelChains(
                                        read.complete(),
                                        Map.of(chain("KUBE-SERVICES"), List.of(rule, new KernelRule(8, rule.print()))),
                                        read.contents()),
                                new KernelChains(
                                        read.complete(),
                                        read.chains(),
                                        Map.of(chain("KUBE-SVC-A"), new Fingerprint(1, 2))),
                                // The contents of two chains exchanged.
                                new KernelChains(
                                        read.complete(),
                                        read.chains(),
                                        Map.of(
                                                chain("KUBE-SVC-A"),
                                                new Fingerprint(3, 4),
                                                chain("KUBE-SVC-B"),
                                                new Fingerprint(1, 2))))
                        .map(KernelChains::digest))
                .doesNotContain(read.digest())
                .doesNotHaveDuplicates();
    }
}
