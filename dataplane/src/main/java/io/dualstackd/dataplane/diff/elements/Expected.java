package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.elements.ReadBack.Held;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The applied state of some elements and chains, and their owners: found by one walk through all holdings. */
final class Expected implements AppliedService.Reader {
    private final IpFamily family;
    private final ReadBack readBack;
    private final Map<String, Map<Bytes, Held>> elements = new HashMap<>();
    private final Map<Bytes, ServiceKey> owners = new HashMap<>();
    private final Set<ServiceKey> ofChains = new HashSet<>();
    private Optional<ServiceKey> owner = Optional.empty();

    /** @param readBack names what to look for */
    Expected(IpFamily family, AppliedTable appliedTable, ReadBack readBack) {
        this.family = family;
        this.readBack = readBack;
        AppliedService.read(family, appliedTable.node, this);
        appliedTable.packedServices.forEach((service, packed) -> {
            owner = Optional.of(service);
            AppliedService.read(family, packed, this);
        });
    }

    /** The expected value; empty when no Service has such an element. */
    Optional<Held> element(String set, Bytes key) {
        return Optional.ofNullable(elements.getOrDefault(set, Map.of()).get(key));
    }

    /** The Service that has this member of a fixed set; one of them, when it is shared. */
    Optional<ServiceKey> owner(Bytes key) {
        return Optional.ofNullable(owners.get(key));
    }

    /** The Services that have any of the chains looked for. */
    Set<ServiceKey> ofChains() {
        return ofChains;
    }

    private void expect(String set, Bytes key, Held held) {
        elements.computeIfAbsent(set, name -> new HashMap<>()).put(key, held);
    }

    private Map<Bytes, Optional<Held>> in(String set) {
        return readBack.elements().getOrDefault(set, Map.of());
    }

    @Override
    public void member(FixedSet set, byte[] packed, int keyAt) {
        Map<Bytes, Optional<Held>> wanted = in(set.setName());
        if (!wanted.isEmpty()) {
            Bytes key = Bytes.of(packed, keyAt, keyAt + Elements.keyLength(family, set));
            if (wanted.containsKey(key)) {
                expect(set.setName(), key, Held.NOTHING);
                owner.ifPresent(service -> owners.put(key, service));
            }
        }
    }

    @Override
    public void spread(Lane lane, byte[] packed, int destinationAt, int count, int valuesAt) {
        int length = Elements.length(family, lane.destination());
        Map<Bytes, Optional<Held>> counted = in(lane.setName(count));
        if (!counted.isEmpty()) {
            Bytes key = Bytes.of(packed, destinationAt, destinationAt + length);
            if (counted.containsKey(key)) {
                expect(lane.setName(count), key, Held.NOTHING);
            }
        }
        Map<Bytes, Optional<Held>> slots = in(lane.mapName());
        if (!slots.isEmpty()) {
            int valueLength = Elements.endpointLength(family);
            byte[] key = new byte[length + Integer.BYTES];
            System.arraycopy(packed, destinationAt, key, 0, length);
            for (int slot = 0; slot < count; slot++) {
                SlotKey.number(key, length, slot);
                Bytes wanted = Bytes.of(key);
                int at = valuesAt + slot * valueLength;
                if (slots.containsKey(wanted) && !AppliedService.isEmptySlot(packed, at, valueLength)) {
                    expect(lane.mapName(), wanted, new Held(Bytes.of(packed, at, at + valueLength), ""));
                }
            }
        }
    }

    @Override
    public void sticky(Lane lane, Bytes destination, String chain) {
        if (in(lane.stickyMapName()).containsKey(destination)) {
            expect(lane.stickyMapName(), destination, new Held(Bytes.EMPTY, chain));
        }
    }

    @Override
    public void chain(String name) {
        if (readBack.chains().containsKey(name)) {
            owner.ifPresent(ofChains::add);
        }
    }

    @Override
    public void clients(String set) {}
}
