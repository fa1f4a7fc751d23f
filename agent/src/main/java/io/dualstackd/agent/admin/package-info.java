/**
 * What the daemon tells about itself: {@link io.dualstackd.agent.admin.StatusReport} and its two faces,
 * {@link io.dualstackd.agent.admin.StatusText} for people and {@link io.dualstackd.agent.admin.StatusJson} for programs.
 *
 * <p>In: facts, gathered by the daemon. Out: text. Must not touch: the daemon itself, sockets, the clock (the report says when it was
 * made).
 *
 * <p>The one surprising thing: the daemon renders the text, not the {@code status} command, so an old command shows all that a new
 * daemon knows.
 */
@NullMarked
package io.dualstackd.agent.admin;

import org.jspecify.annotations.NullMarked;
