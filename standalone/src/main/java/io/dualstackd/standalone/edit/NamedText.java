package io.dualstackd.standalone.edit;

/**
 * A text with objects.
 *
 * @param name of its file, without a folder; may become the name of a file in the manifest folder
 * @param place what messages call it, as the user wrote it
 */
public record NamedText(String name, String place, String text) {
    /** A text that messages call by its name. */
    public NamedText(String name, String text) {
        this(name, name, text);
    }
}
