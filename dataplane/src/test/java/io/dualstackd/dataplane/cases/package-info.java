/**
 * Case files: stories an admin can read, with the Services, packets and rules written out in {@code src/test/cases/*.case}.
 *
 * <p>In: the text of a case. Out: checks of the rules we compile, of what packets meet in them, and of what the real tools make of
 * them. Must not touch: anything outside a network namespace of the test's own.
 *
 * <p>The one surprising thing: {@code -Dgolden.update=true} rewrites the {@code expect} blocks instead of checking them; what
 * packets do is never rewritten.
 */
@NullMarked
package io.dualstackd.dataplane.cases;

import org.jspecify.annotations.NullMarked;
