package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
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

    /** The believed content of our chains in {@code kernel}; shared chains and guest chains stand in it as empty. */
    public static Map<ChainId, Fingerprint> contents(KernelChains kernel, Layout layout, NodeView node) {
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
        return found;
    }

    /**
     * Puts every difference into {@code draft}, Service by Service: the image of one is dropped before that of the next is made.
     *
     * @param draft begun with {@link #contents}
     * @param leave chains of ours that the kernel refused to delete and that are to be left in peace
     */
    public static void compare(
            KernelChains kernel,
            Layout layout,
            NodeView node,
            Map<ServiceKey, ServiceView> services,
            Set<ChainId> leave,
            TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(node);
        Set<ChainId> guest = layout.guest(node);
        Set<ChainId> unwanted = new HashSet<>();
        for (ChainId chain : kernel.chains().keySet()) {
            if (layout.ours(chain) && !shared.contains(chain) && !guest.contains(chain) && !leave.contains(chain)) {
                unwanted.add(chain);
            }
        }

        layout.tables().stream()
                .filter(table -> !kernel.complete().contains(table))
                .sorted()
                .forEach(draft::ensureTable);
        shared.stream().sorted().forEach(draft::ensureShared);
        guest.stream().sorted().forEach(draft::ensureShared);
        offerPlaced(kernel, layout, node, draft);

        FragmentImage frame = layout.frame(node);
        frame.chains().forEach(image -> unwanted.remove(image.chain()));
        draft.change(Origin.NODE, Written.NOTHING, frame);
        for (ServiceView service : services.values()) {
            FragmentImage image = layout.service(service, node);
            image.chains().forEach(chain -> unwanted.remove(chain.chain()));
            draft.change(new Origin.OfService(service.key()), Written.NOTHING, image);
        }
        unwanted.stream().sorted().forEach(chain -> draft.dropChain(new Origin.Leftover(chain), chain));
        draft.finish();
    }

    private static void offerPlaced(KernelChains kernel, Layout layout, NodeView node, TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(node);
        Set<Fingerprint> jumps = layout.jumps(node);
        kernel.chains().forEach((chain, rules) -> {
            boolean all = shared.contains(chain);
            if (all || !layout.ours(chain)) {
                for (KernelRule rule : rules) {
                    if (all || jumps.contains(rule.print())) {
                        draft.offer(chain, rule.print(), rule.handle());
                    }
                }
            }
        });
    }

    private static Fingerprint contentOf(List<KernelRule> rules) {
        Fingerprint content = Fingerprint.EMPTY;
        for (KernelRule rule : rules) {
            content = content.then(rule.print());
        }
        return content;
    }
}
