package io.dualstackd.dataplane.counters;

import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.counters.CountedRule.Kind;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.FragmentImage.PlacedImage;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.netlink.nft.expr.Counter;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters of rules as last read, of one family in iptables mode. A rule that leaves the kernel loses its counter; a value that was
 * read is remembered here and given to the rule that is written in its place. So a count that was shown never becomes smaller while its
 * Service wants the destination, and the counters themselves are in the kernel, where they outlive the process.
 *
 * <p>Until the first reading nothing is remembered, and nothing is asked of a change but whether there was one.
 *
 * <p>Safe for use by several threads.
 */
public final class RuleCounters {
    private final BiFunction<Rule, Counter, RuleImage> image;
    private final Map<ServiceKey, Map<CountedRule, RuleCount>> counts = new HashMap<>();
    /** The sum for each rule that some Service wants; two Services may want the same destination. */
    private final Map<CountedRule, Long> shown = new HashMap<>();
    /** Counted at rules that are gone. */
    private final Map<Kind, Long> retired = new EnumMap<>(Kind.class);
    /** What Services want by the steps that are being drafted. */
    private final Map<ServiceKey, Set<Destination>> drafted = new HashMap<>();
    /** What Services want that changed since a reading began, which may have found the rules they had; null while nothing is read. */
    private @Nullable Map<ServiceKey, Set<Destination>> changedMeanwhile;

    private volatile boolean idle = true;
    private final Replacements replacements = new Replacements();

    /** @param image of a rule whose counter starts at a value; called by the thread that calls {@link #continued} */
    public RuleCounters(BiFunction<Rule, Counter, RuleImage> image) {
        this.image = image;
    }

    /** A reading of the kernel's counters, to be given to {@link #end}. Used by one thread. */
    public static final class Reading {
        private final Map<Identity, FoundRule> found = new HashMap<>();
        private OptionalLong replacement = OptionalLong.empty();

        private Reading() {}

        /** Says that rules have no handles, and after how many replacements of their tables they are read. */
        public void after(long replacements) {
            replacement = OptionalLong.of(replacements);
        }

        /** Adds a rule. Of two that replace each other while they are read, the new one counts: handles only grow. */
        public void add(FoundRule rule) {
            found.merge(
                    new Identity(rule.service(), rule.rule()),
                    rule,
                    (one, other) -> one.handle() > other.handle() ? one : other);
        }
    }

    private record Identity(ServiceKey service, CountedRule rule) {}

    /** Begins a reading; only one at a time. */
    public synchronized Reading begin() {
        idle = false;
        changedMeanwhile = new HashMap<>();
        return new Reading();
    }

    /** Ends a reading: its values are the current ones. A rule that was not found keeps its last value. */
    public synchronized void end(Reading reading) {
        Set<RuleCount> found = HashSet.newHashSet(reading.found.size());
        reading.found.forEach((identity, rule) -> {
            RuleCount count = counts.computeIfAbsent(identity.service(), key -> new HashMap<>())
                    .computeIfAbsent(identity.rule(), key -> new RuleCount());
            if (reading.replacement.isPresent()) {
                count.readAfter(reading.replacement.getAsLong(), rule.counter());
            } else {
                count.read(rule.handle(), rule.counter());
            }
            found.add(count);
        });
        Map<ServiceKey, Set<Destination>> changed = changedMeanwhile;
        changedMeanwhile = null;
        if (changed != null) {
            changed.forEach(this::keep);
        }
        shown.clear();
        counts.values().removeIf(ofService -> {
            ofService.entrySet().removeIf(each -> {
                RuleCount count = each.getValue();
                boolean gone = count.isUnwanted() && !found.contains(count);
                if (gone) {
                    retire(each.getKey(), count);
                } else if (!count.isUnwanted()) {
                    shown.merge(each.getKey(), count.shown(), Long::sum);
                }
                return gone;
            });
            return ofService.isEmpty();
        });
    }

    /** Ends a reading that failed. */
    public synchronized void abandon() {
        changedMeanwhile = null;
    }

    /** The replacements of the tables of iptables legacy. */
    public Replacements replacements() {
        return replacements;
    }

    /** Tells which steps a replacement of tables has put into force; called while it is the current one. */
    public void placed(List<Op> ops) {
        if (!idle) {
            placedNow(ops);
        }
    }

    private synchronized void placedNow(List<Op> ops) {
        for (Op op : ops) {
            if (op instanceof Op.PlaceRule(ChainId chain, Place ignored, RuleImage rule, Origin origin)
                    && origin instanceof Origin.OfService(ServiceKey service)) {
                CountedRule.of(chain, rule.rule())
                        .map(counted -> counts.getOrDefault(service, Map.of()).get(counted))
                        .ifPresent(count -> count.placedBy(replacements.current()));
            }
        }
    }

    /** The same step; a rule that takes the place of one whose counter was read starts with its value. */
    public Op continued(Op op) {
        return idle ? op : startingAtCount(op);
    }

    private Op startingAtCount(Op op) {
        return op instanceof Op.PlaceRule(ChainId chain, Place place, RuleImage rule, Origin origin)
                        && origin instanceof Origin.OfService(ServiceKey service)
                ? CountedRule.of(chain, rule.rule())
                        .map(counted -> initial(service, counted))
                        .filter(value -> !value.equals(Counter.ZERO))
                        .<Op>map(value -> new Op.PlaceRule(chain, place, image.apply(rule.rule(), value), origin))
                        .orElse(op)
                : op;
    }

    private synchronized Counter initial(ServiceKey service, CountedRule rule) {
        RuleCount count = counts.getOrDefault(service, Map.of()).get(rule);
        return count == null || count.isUnwanted() ? Counter.ZERO : count.give();
    }

    /** The kernel took what was drafted: what is not wanted any more loses its count. */
    public void taken() {
        if (!idle) {
            takenNow();
        }
    }

    private synchronized void takenNow() {
        if (changedMeanwhile != null) {
            changedMeanwhile.putAll(drafted);
        }
        drafted.forEach(this::keep);
        drafted.clear();
    }

    /** The kernel did not take what was drafted: the rules that it has go on counting. */
    public synchronized void discarded() {
        drafted.clear();
    }

    /** Tells what an origin wants once the kernel has {@link #taken} it. */
    public void wanted(Origin origin, FragmentImage want) {
        if (!idle && origin instanceof Origin.OfService(ServiceKey service)) {
            wanted(service, want);
        }
    }

    private synchronized void wanted(ServiceKey service, FragmentImage want) {
        Set<Destination> destinations = new HashSet<>();
        for (PlacedImage placed : want.placed()) {
            CountedRule.of(placed.chain(), placed.rule().rule()).ifPresent(rule -> destinations.add(rule.to()));
        }
        drafted.put(service, destinations);
    }

    /** Tells which Services there are: others lose their counts, once the kernel has {@link #taken} that. */
    public void retain(Set<ServiceKey> services) {
        if (!idle) {
            retainNow(services);
        }
    }

    private synchronized void retainNow(Set<ServiceKey> services) {
        for (ServiceKey service : counts.keySet()) {
            if (!services.contains(service)) {
                drafted.put(service, Set.of());
            }
        }
    }

    private void keep(ServiceKey service, Set<Destination> destinations) {
        Map<CountedRule, RuleCount> ofService = counts.getOrDefault(service, Map.of());
        for (Iterator<Map.Entry<CountedRule, RuleCount>> each =
                        ofService.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<CountedRule, RuleCount> entry = each.next();
            RuleCount count = entry.getValue();
            if (count.isUnwanted() && destinations.contains(entry.getKey().to())) {
                // Wanted again, by a rule that starts at zero.
                retire(entry.getKey(), count);
                each.remove();
            } else if (!count.isUnwanted()
                    && !destinations.contains(entry.getKey().to())) {
                count.leave();
                shown.merge(entry.getKey(), -count.shown(), Long::sum);
            }
        }
    }

    private void retire(CountedRule rule, RuleCount count) {
        retired.merge(rule.kind(), count.shown(), Long::sum);
    }

    /** The packets counted at a rule, as far as they were read; 0 for a rule that is not known. */
    public synchronized long packets(CountedRule rule) {
        return shown.getOrDefault(rule, 0L);
    }

    /** The packets counted at all rules of a kind, those of destinations that no Service wants any more included. */
    public synchronized long total(Kind kind) {
        long sum = retired.getOrDefault(kind, 0L);
        for (Map<CountedRule, RuleCount> ofService : counts.values()) {
            for (Map.Entry<CountedRule, RuleCount> each : ofService.entrySet()) {
                sum += each.getKey().kind() == kind ? each.getValue().shown() : 0;
            }
        }
        return sum;
    }
}
