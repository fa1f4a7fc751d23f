package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.diff.TransactionDraft.Step;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The full comparison: the kernel as it was read against everything that is wanted. Done at start, after a refusal, and when
 * somebody else changed the rules; finds nothing to do when the kernel is right.
 */
public final class Reconciliation {
    private Reconciliation() {}

    /**
     * @param belief an empty belief, which gets the contents read
     * @param leave chains of ours that the kernel refused to delete and that are to be left in peace
     */
    public static Step plan(
            KernelChains kernel,
            Belief belief,
            Layout layout,
            NodeView node,
            Map<ServiceKey, ServiceView> services,
            Set<ChainId> leave) {
        Set<ChainId> shared = layout.shared(node);
        Set<ChainId> guest = layout.guest(node);
        Map<ChainId, Fingerprint> found = new HashMap<>();
        kernel.chains().forEach((chain, rules) -> {
            if (shared.contains(chain) || guest.contains(chain)) {
                found.put(chain, Fingerprint.EMPTY);
            } else if (layout.ours(chain)) {
                found.put(chain, contentOf(rules));
            }
        });
        belief.contents().putAll(found);

        TransactionDraft draft = new TransactionDraft(belief.contents());
        layout.tables().stream()
                .filter(table -> !kernel.complete().contains(table))
                .sorted()
                .forEach(draft::ensureTable);
        shared.stream().sorted().forEach(draft::ensureShared);
        guest.stream().sorted().forEach(draft::ensureShared);
        Set<Fingerprint> jumps = layout.jumps(node);
        kernel.chains().forEach((chain, rules) -> {
            if (shared.contains(chain)) {
                rules.forEach(rule -> draft.offer(chain, rule.print(), rule.handle()));
            } else if (!layout.ours(chain)) {
                rules.stream()
                        .filter(rule -> jumps.contains(rule.print()))
                        .forEach(rule -> draft.offer(chain, rule.print(), rule.handle()));
            }
        });

        Set<ChainId> wanted = new HashSet<>(shared);
        wanted.addAll(guest);
        FragmentImage frame = layout.frame(node);
        note(frame, wanted);
        draft.change(Origin.NODE, Written.NOTHING, frame);
        services.values().forEach(service -> {
            FragmentImage image = layout.service(service, node);
            note(image, wanted);
            draft.change(new Origin.OfService(service.key()), Written.NOTHING, image);
        });

        found.keySet().stream()
                .filter(chain -> !wanted.contains(chain) && !leave.contains(chain))
                .sorted()
                .forEach(chain -> draft.dropChain(new Origin.Leftover(chain), chain));
        return draft.finish();
    }

    private static void note(FragmentImage image, Set<ChainId> wanted) {
        image.chains().forEach(chain -> wanted.add(chain.chain()));
    }

    private static Fingerprint contentOf(List<KernelRule> rules) {
        Fingerprint content = Fingerprint.EMPTY;
        for (KernelRule rule : rules) {
            content = content.then(rule.print());
        }
        return content;
    }
}
