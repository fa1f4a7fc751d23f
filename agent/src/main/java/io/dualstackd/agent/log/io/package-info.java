/**
 * How log lines look and where they go: {@link io.dualstackd.agent.log.io.LogSetup}.
 *
 * <p>In: records of {@code java.util.logging}, behind SLF4J. Out: one line each on standard error, for people or as JSON. Must not
 * touch: files; the supervisor keeps the log.
 *
 * <p>The one surprising thing: messages are written {@code what happened key=value key="two words"}, and the JSON format takes the
 * pairs out of the text again, so there is one way to write a message and both formats are complete.
 */
@NullMarked
package io.dualstackd.agent.log.io;

import org.jspecify.annotations.NullMarked;
