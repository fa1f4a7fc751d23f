package io.dualstackd.standalone.edit;

import java.util.Optional;

/** The rule for names of texts that are applied: such a name may become the name of a file in the manifest folder. */
public final class TextName {
    private static final int MAX_LENGTH = 255;

    private TextName() {}

    /** Why a text may not have this name; empty when it may. */
    public static Optional<String> refuse(String name) {
        if (name.isEmpty()) {
            return Optional.of("\"\" is no name for a text to apply; it must not be empty");
        }
        boolean plain = name.length() <= MAX_LENGTH
                && !name.startsWith(".")
                && name.chars().allMatch(letter -> letter > ' ' && letter != '/' && !Character.isISOControl(letter));
        return plain
                ? Optional.empty()
                : Optional.of(
                        "\"" + printable(name) + "\" is no name for a text to apply; it must be the name of a file"
                                + " without a folder, not begin with a dot, hold no spaces and no control characters,"
                                + " and have at most " + MAX_LENGTH + " characters");
    }

    private static String printable(String name) {
        return name.substring(0, Math.min(name.length(), MAX_LENGTH)).replaceAll("\\p{Cntrl}", "?");
    }
}
