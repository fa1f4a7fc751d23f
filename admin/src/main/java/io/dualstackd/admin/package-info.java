/**
 * Reports about the daemon itself: {@link io.dualstackd.admin.StatusReport} and its two formats,
 * {@link io.dualstackd.admin.StatusText} for people and {@link io.dualstackd.admin.StatusJson} for programs.
 *
 * <p>In: facts, gathered by the daemon. Out: text. Must not touch: the daemon itself, sockets, the clock (the report contains the time when
 * it was made).
 *
 * <p>The one surprising thing: the daemon renders the text, not the {@code status} command, so an old command shows everything that a new
 * daemon reports.
 */
@NullMarked
package io.dualstackd.admin;

import org.jspecify.annotations.NullMarked;
