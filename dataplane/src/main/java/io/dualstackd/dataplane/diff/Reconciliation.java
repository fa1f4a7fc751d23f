package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.diff.KernelChains.KernelRule;
import io.dualstackd.dataplane.plan.Planner;
import io.dualstackd.dataplane.plan.ServicePlan;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The full comparison: the kernel as it was read against everything that is wanted. Done at start, after a refusal, and when another
 * program changed the rules; finds nothing to do when the kernel is right.
 */
public final class Reconciliation {
    private final Layout layout;
    private final Planner planner;
    private final TransactionDraft draft;
    /** Own chains that no origin has wanted so far. */
    private final Set<ChainId> unwanted;
    /** Those of them that the kernel refused to delete. */
    private final Set<ChainId> leave;
    /** Own chains in the kernel. */
    private final Set<ChainId> found;

    private boolean leftoversStay;

    private Reconciliation(
            Layout layout,
            Planner planner,
            TransactionDraft draft,
            Set<ChainId> unwanted,
            Set<ChainId> leave,
            Set<ChainId> found) {
        this.layout = layout;
        this.planner = planner;
        this.draft = draft;
        this.unwanted = unwanted;
        this.leave = leave;
        this.found = found;
    }

    /** The content of the own chains in {@code kernel}; shared chains and guest chains are in it as empty. */
    public static Map<ChainId, Fingerprint> contents(KernelChains kernel, Layout layout, Planner planner) {
        Set<ChainId> shared = layout.shared(planner);
        Set<ChainId> guest = layout.guest(planner);
        Map<ChainId, Fingerprint> found = new HashMap<>(kernel.contents());
        kernel.chains().forEach((chain, rules) -> {
            if (shared.contains(chain) || guest.contains(chain)) {
                found.put(chain, Fingerprint.EMPTY);
            } else if (layout.ours(chain)) {
                found.put(chain, KernelChains.contentOf(rules));
            }
        });
        return found;
    }

    /**
     * Begins with what the node wants. Then {@link #service} is called for every Service that is wanted, then {@link #finish}.
     *
     * @param contents the {@link #contents} of the kernel
     * @param leave own chains that the kernel refused to delete; they are emptied only, when no origin wants them
     * @param draft receives every difference; made with {@code contents}
     */
    public static Reconciliation begin(
            KernelChains kernel,
            Map<ChainId, Fingerprint> contents,
            Layout layout,
            Planner planner,
            Set<ChainId> leave,
            TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(planner);
        Set<ChainId> guest = layout.guest(planner);
        Set<ChainId> unwanted = new HashSet<>();
        for (ChainId chain : contents.keySet()) {
            if (!shared.contains(chain) && !guest.contains(chain)) {
                unwanted.add(chain);
            }
        }

        ensureChains(kernel, layout, planner, draft);
        offerPlaced(kernel, layout, planner, draft);

        Reconciliation comparison = new Reconciliation(layout, planner, draft, unwanted, leave, contents.keySet());
        comparison.compare(Origin.NODE, layout.frame(planner));
        return comparison;
    }

    /** Whether the kernel has nothing that jumps could lead to: neither chains of Services nor those that all of them share. */
    public static boolean isFirst(KernelChains kernel, Layout layout, Planner planner) {
        Set<ChainId> guest = layout.guest(planner);
        return kernel.contents().isEmpty()
                && kernel.chains().keySet().stream().noneMatch(chain -> layout.ours(chain) && !guest.contains(chain));
    }

    /** Adds the tables to the draft, and the chains that hold rules of several origins, as far as they are missing. */
    public static void ensureChains(KernelChains kernel, Layout layout, Planner planner, TransactionDraft draft) {
        layout.tables().stream()
                .filter(table -> !kernel.complete().contains(table))
                .sorted()
                .forEach(draft::ensureTable);
        layout.shared(planner).stream().sorted().forEach(draft::ensureShared);
        layout.guest(planner).stream().sorted().forEach(draft::ensureShared);
    }

    /** Adds to the draft what this Service lacks; nothing of its image is kept except what the draft keeps. */
    public void service(ServicePlan service) {
        compare(new Origin.OfService(service.key()), layout.service(service, planner));
    }

    /**
     * Leaves what a Service has in the kernel as it is, because the kernel refuses what it wants.
     *
     * @param had what the kernel last accepted; empty when that is not known: then the names of what it wants identify its chains
     */
    public void keep(ServicePlan service, Optional<AppliedFragment> had) {
        List<ChainId> chains = new ArrayList<>();
        Map<ChainId, List<Fingerprint>> placed = new HashMap<>();
        if (had.isPresent()) {
            chains.addAll(had.get().chains());
            had.get()
                    .placed()
                    .forEach(rule -> placed.computeIfAbsent(rule.chain(), key -> new ArrayList<>())
                            .add(rule.print()));
        } else {
            FragmentImage image = layout.service(service, planner);
            image.chains().forEach(chain -> chains.add(chain.chain()));
            image.placed()
                    .forEach(rule -> placed.computeIfAbsent(rule.chain(), key -> new ArrayList<>())
                            .add(rule.rule().print()));
        }
        chains.removeIf(chain -> !found.contains(chain));
        // This Service's rules may jump to chains that no Service wants.
        leftoversStay |= had.isEmpty() && !chains.isEmpty();
        unwanted.removeAll(chains);
        draft.keep(
                new Origin.OfService(service.key()),
                chains,
                placed,
                had.map(AppliedFragment::rules).orElse(0L));
    }

    /** Nothing else is wanted: all other own chains are deleted, or emptied. */
    public void finish() {
        if (leftoversStay) {
            unwanted.clear();
        }
        unwanted.stream().sorted().forEach(chain -> draft.dropLeftover(chain, leave));
        draft.finish();
    }

    private void compare(Origin origin, FragmentImage image) {
        image.chains().forEach(chain -> unwanted.remove(chain.chain()));
        draft.change(origin, AppliedFragment.NOTHING, image);
    }

    /** Offers the draft the rules found in chains that hold rules of several origins. */
    public static void offerPlaced(KernelChains kernel, Layout layout, Planner planner, TransactionDraft draft) {
        Set<ChainId> shared = layout.shared(planner);
        Set<Fingerprint> jumps = layout.jumps(planner);
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
}
