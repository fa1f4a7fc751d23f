package io.dualstackd.standalone.manifest;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Valid entries of a source that the daemon does not use: the first ones, and the number of the others.
 *
 * @param more how many there are besides these
 */
public record Unused(List<Item> items, int more) {
    /** Nothing. */
    public static final Unused NONE = new Unused(List.of(), 0);

    /** The maximum number of items. */
    public static final int NAMED = 5;

    /** Characters that would move a terminal's cursor, or begin another line. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\x{2028}\\x{2029}]");

    private static final Pattern MANIFEST = Pattern.compile(".*\\.(yaml|yml|json)", Pattern.DOTALL);

    /** Files that editors and package managers leave beside others. */
    private static final Pattern COPY = Pattern.compile(
            "#.*#|.*(~|\\.(swp|swo|bak|orig|rej|tmp|rpmsave|rpmnew|dpkg-(old|dist|new)))", Pattern.DOTALL);

    /**
     * One of them.
     *
     * @param name of a file, of a folder with a slash behind it, or of an object
     */
    public record Item(String name, String reason) {}

    public Unused {
        items = List.copyOf(items);
    }

    /** These, as many as are named, and the number of the others. */
    public static Unused of(List<Item> all) {
        return new Unused(all.stream().limit(NAMED).toList(), Math.max(0, all.size() - NAMED));
    }

    /** These items, followed by those of the other. */
    public Unused and(Unused other) {
        List<Item> all = Stream.concat(items.stream(), other.items.stream()).toList();
        return new Unused(all, more + other.more);
    }

    /** An entry of the folder of manifests that is no manifest. */
    public static Item entry(String name, boolean folder) {
        String shown = CONTROL.matcher(name).replaceAll("?");
        if (folder) {
            return new Item(shown + "/", "a sub-folder: only files directly in the folder are read");
        } else if (COPY.matcher(name).matches()) {
            return new Item(shown, "an editor's or a package manager's copy");
        } else if (name.startsWith(".")) {
            return new Item(shown, "a hidden file");
        }
        return new Item(
                shown,
                MANIFEST.matcher(name).matches()
                        ? "it is no regular file"
                        : "its name does not end with .yaml, .yml or .json");
    }
}
