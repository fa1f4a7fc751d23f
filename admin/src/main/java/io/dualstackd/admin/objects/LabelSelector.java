package io.dualstackd.admin.objects;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector as {@code kubectl get -l} takes it: {@code app=web,tier!=db,zone in (a,b),!canary}.
 *
 * @param requirements all of which an object must meet; without any every object matches
 */
public record LabelSelector(List<Requirement> requirements) {
    /** Matches every object. */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    private static final String WORD = "[A-Za-z0-9][A-Za-z0-9_./-]*";
    private static final Pattern ONE = Pattern.compile(
            "\\s*(?:(?<absent>!)\\s*(?<gone>" + WORD + ")|(?<key>" + WORD + ")\\s*(?:(?<equality>==?|!=)\\s*(?<value>"
                    + WORD + "|)|\\s(?<set>in|notin)\\s*\\((?<values>[^()]*)\\)|))\\s*(?:,|$)");

    /**
     * A requirement on one label.
     *
     * @param key name of the label
     * @param values the label must have one of; empty when any value does
     * @param wanted false when an object must not have such a label
     */
    public record Requirement(String key, Set<String> values, boolean wanted) {
        public Requirement {
            values = Set.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return wanted == (value != null && (values.isEmpty() || values.contains(value)));
        }
    }

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * Parses a selector.
     *
     * @throws IllegalArgumentException when it is not one; the message names the text from which on it is not
     */
    public static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        Matcher one = ONE.matcher(text);
        int from = 0;
        while (from < text.length()) {
            if (!one.find(from) || one.start() != from) {
                throw new IllegalArgumentException("\"" + text + "\": at \"" + text.substring(from)
                        + "\": must be KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (VALUE,...) or KEY notin (VALUE,...)");
            }
            requirements.add(requirement(one));
            from = one.end();
        }
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(Matcher one) {
        if (one.group("absent") != null) {
            return new Requirement(one.group("gone"), Set.of(), false);
        }
        String key = one.group("key");
        if (one.group("equality") != null) {
            return new Requirement(
                    key, Set.of(one.group("value")), !one.group("equality").equals("!="));
        }
        if (one.group("set") == null) {
            return new Requirement(key, Set.of(), true);
        }
        Set<String> values = new HashSet<>(List.of(one.group("values").strip().split("\\s*,\\s*", -1)));
        return new Requirement(key, values, one.group("set").equals("in"));
    }

    /** Whether an object with these labels is selected. */
    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /** Whether it asks for no other labels than these. */
    boolean asksOnlyFor(Set<String> keys) {
        return requirements.stream().allMatch(requirement -> keys.contains(requirement.key()));
    }
}
