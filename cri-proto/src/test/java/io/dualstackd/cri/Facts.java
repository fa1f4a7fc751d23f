package io.dualstackd.cri;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a definition declares, as pairs of text: {@code field PodSandbox.id} is {@code 1 string}, {@code number PodSandbox 1} is
 * {@code id}, {@code rpc Version} is {@code (VersionRequest) -> (VersionResponse)}. Two definitions that agree in these are the same on
 * the wire.
 */
final class Facts {
    private final Map<String, String> facts = new TreeMap<>();

    void scope(String name) {
        put("package", name);
    }

    void message(String name) {
        put("message " + name, "declared");
    }

    /** @param type with its label: {@code repeated string}, {@code map<string, string>}, {@code PodSandbox} */
    void field(String message, String name, int number, String type) {
        put("field " + message + "." + name, number + " " + type);
        put("number " + message + " " + number, name);
    }

    void value(String enumeration, String name, int number) {
        put("value " + enumeration + "." + name, Integer.toString(number));
        put("number " + enumeration + " " + number, name);
    }

    void method(String service, String name, String in, boolean inStream, String out, boolean outStream) {
        put(
                "rpc " + service + "/" + name,
                "(" + (inStream ? "stream " : "") + in + ") -> (" + (outStream ? "stream " : "") + out + ")");
    }

    private void put(String key, String value) {
        String before = facts.put(key, value);
        if (before != null) {
            throw new IllegalStateException("declared twice: " + key + " as " + before + " and " + value);
        }
    }

    int count(String kind) {
        return (int)
                facts.keySet().stream().filter(k -> k.startsWith(kind + " ")).count();
    }

    /** A fact, or empty text. */
    String of(String key) {
        return facts.getOrDefault(key, "");
    }

    /** Facts that the other declares differently; what it does not declare at all is left out. */
    List<String> contradictedBy(Facts other) {
        List<String> found = new ArrayList<>();
        facts.forEach((key, mine) -> {
            String there = other.facts.get(key);
            if (there != null && !there.equals(mine)) {
                found.add(key + ": here " + mine + ", there " + there);
            }
        });
        return found;
    }

    /** What the other does not declare. */
    List<String> unknownTo(Facts other) {
        return facts.keySet().stream()
                .filter(key -> !other.facts.containsKey(key))
                .toList();
    }
}
