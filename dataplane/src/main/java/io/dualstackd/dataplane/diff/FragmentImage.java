package io.dualstackd.dataplane.diff;

import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.Frame;
import io.dualstackd.dataplane.rules.iptables.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The desired chains and rules of one origin, ready to be compared.
 *
 * @param chains its own chains with their whole content, sorted by chain
 * @param placed its rules in shared chains
 */
public record FragmentImage(List<ChainImage> chains, List<PlacedImage> placed) {

    /** A chain with its whole content. */
    public record ChainImage(ChainId chain, Fingerprint content, List<RuleImage> rules) {}

    /** A rule in a shared chain, and its place there. */
    public record PlacedImage(ChainId chain, Place place, RuleImage rule) {}

    /** The place of a rule in its chain. */
    public enum Place {
        /** Anywhere before the tail; put at the head. */
        HEAD,
        /** At the head, and before the rule of the same origin that is placed before it: both match, and only the first one counts. */
        AHEAD,
        /** After everything placed at the head. */
        TAIL
    }

    public static final FragmentImage NOTHING = new FragmentImage(List.of(), List.of());

    public FragmentImage {
        chains = List.copyOf(chains);
        placed = List.copyOf(placed);
    }

    /** The number of rules, as in {@link RulesByTable}. */
    public long rules() {
        long rules = 0;
        for (PlacedImage one : placed) {
            rules += RulesByTable.of(one.chain().table(), 1);
        }
        for (ChainImage chain : chains) {
            rules += RulesByTable.of(chain.chain().table(), chain.rules().size());
        }
        return rules;
    }

    /** The image of one Service. */
    public static FragmentImage of(Fragment fragment, Function<Rule, RuleImage> image) {
        List<PlacedImage> placed = new ArrayList<>();
        fragment.dispatch()
                .forEach((chain, list) -> list.forEach(rule -> placed.add(
                        new PlacedImage(chain, rule.counts() ? Place.AHEAD : Place.HEAD, image.apply(rule)))));
        return new FragmentImage(chains(fragment.chains(), image), placed);
    }

    /**
     * The image of the frame. Jumps are placed in reverse, because each is put at the head: the listing then shows them in the
     * order of the frame.
     */
    public static FragmentImage of(Frame frame, Function<Rule, RuleImage> image) {
        List<PlacedImage> placed = new ArrayList<>();
        place(frame.shared(), Place.TAIL, image, placed);
        Map<ChainId, List<Rule>> reversed = new TreeMap<>();
        frame.jumps().forEach((chain, rules) -> reversed.put(chain, rules.reversed()));
        place(reversed, Place.HEAD, image, placed);
        return new FragmentImage(chains(frame.chains(), image), placed);
    }

    private static List<ChainImage> chains(Map<ChainId, List<Rule>> chains, Function<Rule, RuleImage> image) {
        List<ChainImage> images = new ArrayList<>(chains.size());
        chains.forEach((chain, rules) -> {
            List<RuleImage> content = new ArrayList<>(rules.size());
            for (Rule rule : rules) {
                content.add(image.apply(rule));
            }
            images.add(new ChainImage(chain, Fingerprint.ofSequence(content), content));
        });
        return images;
    }

    private static void place(
            Map<ChainId, List<Rule>> rules, Place place, Function<Rule, RuleImage> image, List<PlacedImage> into) {
        rules.forEach(
                (chain, list) -> list.forEach(rule -> into.add(new PlacedImage(chain, place, image.apply(rule)))));
    }
}
