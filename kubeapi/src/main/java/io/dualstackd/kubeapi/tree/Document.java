package io.dualstackd.kubeapi.tree;

/** One document of a file: its tree, or the reason why there is none. */
public sealed interface Document {
    /** Position in the file, counted from 1; documents without content are not counted. */
    int number();

    /** The document could be read. */
    record Parsed(int number, Tree tree) implements Document {}

    /**
     * The document is not YAML.
     *
     * @param line where the parser stopped, counted from 1 in the file
     * @param rule what it expected, for people
     */
    record Broken(int number, int line, String rule) implements Document {}
}
