package io.dualstackd.explain;

/**
 * A remark about what happens to a packet.
 *
 * @param about one word: {@code affinity}, {@code topology}, {@code note}
 */
public record Note(String about, String text) {}
