package io.dualstackd.kubeapi.wire.raw;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Interns names that repeat in the whole cluster (nodes, zones, namespaces, ports). A recent name is found by its bytes, without creating a
 * string.
 */
public final class NamePool {
    private static final int SLOTS = 1024;
    private static final int MAX_SETS = 1024;
    /** Longer texts are not names. */
    private static final int LONGEST = 253;

    private final @Nullable String[] seen = new String[SLOTS];
    private final Map<String, Set<String>> alone = new HashMap<>();

    String name(byte[] bytes, int at, int length) {
        if (length == 0) {
            return "";
        }
        if (length > LONGEST) {
            return new String(bytes, at, length, StandardCharsets.UTF_8);
        }
        int hash = length;
        for (int i = at; i < at + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ hash >>> 10 ^ hash >>> 20) & (SLOTS - 1);
        String found = seen[slot];
        if (found == null || !same(found, bytes, at, length)) {
            found = new String(bytes, at, length, StandardCharsets.UTF_8).intern();
            seen[slot] = found;
        }
        return found;
    }

    /** Returns the set of only this name. */
    Set<String> alone(String name) {
        if (alone.size() >= MAX_SETS) {
            alone.clear();
        }
        return alone.computeIfAbsent(name, Set::of);
    }

    /** Only for ASCII: other texts are created anew each time. */
    private static boolean same(String text, byte[] bytes, int at, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != bytes[at + i]) {
                return false;
            }
        }
        return true;
    }
}
