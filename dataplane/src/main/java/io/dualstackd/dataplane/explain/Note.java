package io.dualstackd.dataplane.explain;

/**
 * Something to know about a packet's fate.
 *
 * @param about one word: {@code affinity}, {@code topology}, {@code note}
 */
public record Note(String about, String text) {}
