package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Chains and elements that another program changed, to be read one by one and repaired; when there are {@linkplain #tooMuch too many},
 * the whole table is compared. Used by one thread.
 */
public final class DirtyObjects {
    private final IpFamily family;
    private final Set<String> chains = new HashSet<>();
    private final Map<String, Set<Bytes>> elements = new HashMap<>();
    private boolean tooMuch;

    public DirtyObjects(IpFamily family) {
        this.family = family;
    }

    public void add(Set<ChangedObject> changes) {
        for (ChangedObject change : changes) {
            switch (change) {
                case ChangedObject.Anything _, ChangedObject.InTable _, ChangedObject.InSet _ -> tooMuch = true;
                case ChangedObject.InChain(var chain) -> chains.add(chain.name());
                case ChangedObject.InRules(var chain) -> chains.add(chain.name());
                case ChangedObject.InElements(var set, Set<Bytes> keys) -> add(set.name(), keys);
            }
        }
    }

    public void addChain(String name) {
        chains.add(name);
    }

    private void add(String set, Set<Bytes> keys) {
        Elements layout = new Elements(family);
        if (set.equals(FixedSet.ALLOWED_SOURCES.setName())) {
            // To a request for a key the kernel returns the range around it.
            tooMuch = true;
        } else if (layout.isOfLayout(set)) {
            elements.computeIfAbsent(set, key -> new HashSet<>()).addAll(keys);
        }
        // The clients that endpoints remember are not compared.
    }

    public Set<String> chains() {
        return chains;
    }

    /** Keys, by name of their set. */
    public Map<String, Set<Bytes>> elements() {
        return elements;
    }

    public boolean tooMuch() {
        return tooMuch;
    }

    public boolean isEmpty() {
        return chains.isEmpty() && elements.isEmpty() && !tooMuch;
    }
}
