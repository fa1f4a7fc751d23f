/**
 * What a host has, read from the kernel through rtnetlink: once, or followed as long as one likes.
 *
 * <p>In: a network namespace. Out: {@link io.dualstackd.nodeaddr.Host}, and a word to a listener when it changed. Must not touch: the
 * choice which address is the node's, names, loggers.
 *
 * <p>The one surprising thing: news of the kernel are never believed, they only say that it is time to look again. What they say is
 * compared with what is known, so that news of nothing new cost no look; and the kernel tells of no route but default ones.
 */
@NullMarked
package io.dualstackd.nodeaddr.io;

import org.jspecify.annotations.NullMarked;
