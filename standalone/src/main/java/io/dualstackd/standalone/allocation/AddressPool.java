package io.dualstackd.standalone.allocation;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The addresses of one family: those in use, and the ranges that new ones are allocated from. Ranges are added and removed and may overlap;
 * an address in use stays in use whatever happens to its range. Used by one thread.
 */
public final class AddressPool {
    private final IpFamily family;
    private final Map<IpPrefix, Range> ranges = new LinkedHashMap<>();
    /** The number of ranges of each prefix length: an address is looked up in one range of each length. */
    private final SortedMap<Integer, Integer> lengths = new TreeMap<>();

    private final Set<Ip> used = new HashSet<>();

    private record Range(ServiceRange of, Slots slots, boolean ready) {}

    /** The result of a request for an address. */
    public sealed interface Answer {
        record Given(Ip ip) implements Answer {}

        record Denied(AllocationFailure reason) implements Answer {}
    }

    public AddressPool(IpFamily family) {
        this.family = family;
    }

    /** Adds a network to allocate addresses from. The cost is linear in the number of addresses in use. */
    public void addRange(IpPrefix network, boolean ready) {
        ServiceRange range = new ServiceRange(network);
        if (network.family() != family || !range.isAllocatable()) {
            throw new IllegalArgumentException(network + " cannot be allocated from in the pool of " + family);
        }
        Range known = ranges.get(network);
        if (known != null) {
            ranges.put(network, new Range(range, known.slots, ready));
            return;
        }
        lengths.merge(network.length(), 1, Integer::sum);
        Slots slots = new Slots(range.size(), range.staticSize());
        for (Ip ip : used) {
            if (range.contains(ip)) {
                slots.take(range.numberOf(ip));
            }
        }
        ranges.put(network, new Range(range, slots, ready));
    }

    /** Removes a network; its addresses in use stay in use. */
    public void removeRange(IpPrefix network) {
        if (ranges.remove(network) != null) {
            lengths.compute(network.length(), (length, count) -> count == null || count == 1 ? null : count - 1);
        }
    }

    /** The ranges from which a Service may have this address, the largest first. */
    private List<Range> containing(Ip ip) {
        List<Range> found = new ArrayList<>();
        for (int length : lengths.keySet()) {
            Range range = ranges.get(new IpPrefix(ip, length));
            if (range != null && range.of.contains(ip)) {
                found.add(range);
            }
        }
        return found;
    }

    /** Takes a random free address from the first ready range that has one. */
    public Answer take(RandomGenerator random) {
        boolean anyReady = false;
        for (Range range : ranges.values()) {
            if (range.ready) {
                anyReady = true;
                OptionalLong number = range.slots.free() == 0 ? OptionalLong.empty() : range.slots.next(random);
                if (number.isPresent()) {
                    Ip ip = range.of.at(number.getAsLong());
                    use(ip);
                    return new Answer.Given(ip);
                }
            }
        }
        return new Answer.Denied(
                anyReady ? new AllocationFailure.RangeFull(family) : new AllocationFailure.NoRange(family));
    }

    /** Takes the given address. */
    public Answer take(Ip ip) {
        if (containing(ip).stream().noneMatch(Range::ready)) {
            return new Answer.Denied(new AllocationFailure.OutOfRange(ip));
        }
        return use(ip) ? new Answer.Given(ip) : new Answer.Denied(new AllocationFailure.AlreadyAllocated(ip));
    }

    /**
     * Records an address as in use without a request, whether it is in a range or not. For addresses that were allocated before.
     *
     * @return false when it is in use already
     */
    public boolean use(Ip ip) {
        if (!used.add(ip)) {
            return false;
        }
        containing(ip).forEach(range -> range.slots.take(range.of.numberOf(ip)));
        return true;
    }

    /** Releases the address; no effect when it is not in use. */
    public void giveBack(Ip ip) {
        if (used.remove(ip)) {
            containing(ip).forEach(range -> range.slots.giveBack(range.of.numberOf(ip)));
        }
    }

    public boolean isUsed(Ip ip) {
        return used.contains(ip);
    }

    /** The oldest of the present ranges. */
    public Optional<IpPrefix> first() {
        return ranges.keySet().stream().findFirst();
    }

    /** The largest range from which a Service may have this address, ready or not. */
    public Optional<IpPrefix> rangeOf(Ip ip) {
        return containing(ip).stream().map(range -> range.of.network()).findFirst();
    }

    /**
     * How full each network is.
     *
     * @param used addresses in use, unsigned
     * @param free addresses that are free, unsigned
     */
    public record Fill(IpPrefix network, boolean ready, long used, long free) {}

    /** The fill of each network, in the order of allocation. */
    public List<Fill> fill() {
        return ranges.values().stream()
                .map(range -> new Fill(range.of.network(), range.ready, range.slots.taken(), range.slots.free()))
                .toList();
    }
}
