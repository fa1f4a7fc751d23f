package io.dualstackd.kubeapi.tree;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the intended word for a mistyped one. */
public final class Suggestion {
    private Suggestion() {}

    /** The known word that is nearest to {@code word}, when it is near enough to be intended. */
    public static Optional<String> to(String word, Collection<String> known) {
        record Candidate(String word, int distance) {}
        if (word.length() < 3) {
            // Every short word is near to every other one.
            return Optional.empty();
        }
        return known.stream()
                .map(k -> new Candidate(k, Math.min(distance(word, k), lastParts(word, k))))
                .filter(c -> c.distance <= (word.length() < 5 ? 1 : Math.max(2, word.length() / 4)))
                .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::word))
                .map(Candidate::word);
    }

    /** Whether at most one letter was inserted, left out or replaced, or two neighbours were exchanged, ignoring case. */
    public static boolean differByALetter(String word, String known) {
        return distance(word, known) <= 1 || isExchanged(word, known);
    }

    private static boolean isExchanged(String word, String known) {
        for (int i = 1; i < word.length(); i++) {
            String exchanged = word.substring(0, i - 1) + word.charAt(i) + word.charAt(i - 1) + word.substring(i + 1);
            if (exchanged.equalsIgnoreCase(known)) {
                return true;
            }
        }
        return false;
    }

    /** The distance when the sections differ: a right word in the wrong section counts as a small typo. */
    private static int lastParts(String word, String known) {
        String a = word.substring(word.lastIndexOf('.') + 1);
        String b = known.substring(known.lastIndexOf('.') + 1);
        return 1 + distance(a, b);
    }

    /** The Levenshtein distance between the two, ignoring case: insertions, deletions and replacements of letters. */
    private static int distance(String first, String second) {
        String a = first.toLowerCase(Locale.ROOT);
        String b = second.toLowerCase(Locale.ROOT);
        int[] above = new int[b.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
