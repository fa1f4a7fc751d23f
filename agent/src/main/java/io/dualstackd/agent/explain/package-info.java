/**
 * The question what becomes of a packet, and its answer in words: {@link io.dualstackd.agent.explain.ExplainRequest},
 * {@link io.dualstackd.agent.explain.ExplanationText}.
 *
 * <p>In: words of a person, an {@link io.dualstackd.dataplane.explain.Explanation}. Out: text, JSON, YAML. Must not touch: the kernel,
 * the daemon's state; the wiring brings both.
 *
 * <p>The one surprising thing: only the first packet of a connection is explained. Those behind it follow what conntrack remembers, be the
 * rules as they may.
 */
@NullMarked
package io.dualstackd.agent.explain;

import org.jspecify.annotations.NullMarked;
