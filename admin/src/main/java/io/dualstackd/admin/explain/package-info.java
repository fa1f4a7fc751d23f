/**
 * Explains what happens to a packet: {@link io.dualstackd.admin.explain.ExplainRequest} is the request,
 * {@link io.dualstackd.admin.explain.ExplanationText} the answer in words.
 *
 * <p>In: arguments typed by a user, an {@link io.dualstackd.explain.Explanation}. Out: text, JSON, YAML. Must not touch: the
 * kernel, the daemon's state; the wiring supplies both.
 *
 * <p>The one surprising thing: only the first packet of a connection is explained. Later packets follow the conntrack entry, whatever the
 * rules are.
 */
@NullMarked
package io.dualstackd.admin.explain;

import org.jspecify.annotations.NullMarked;
