/**
 * Combines planner, compiler and fingerprint: turns views into images, for one mode and one family.
 *
 * <p>In: {@link io.dualstackd.dataplane.model}. Out: {@link io.dualstackd.dataplane.diff.FragmentImage}. Must not touch: the
 * kernel; how a rule is fingerprinted is a parameter.
 *
 * <p>The one surprising thing: the plan of the node is made once per view of the node and kept, because every Service needs it.
 */
@NullMarked
package io.dualstackd.dataplane.layout;

import org.jspecify.annotations.NullMarked;
