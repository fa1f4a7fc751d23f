/**
 * The format and the output of log lines: {@link io.dualstackd.agent.log.io.LogSetup}.
 *
 * <p>In: messages of our code through SLF4J ({@link io.dualstackd.agent.log.io.LogProvider}) and of libraries through
 * {@code java.util.logging}. Out: one line each on standard error, for people or as JSON. Must not touch: files; the supervisor keeps the
 * log.
 *
 * <p>The one surprising thing: messages are written {@code what happened key=value key="two words"}, and the JSON format takes the pairs
 * out of the template, so there is one way to write a message and both formats are complete. A value is put into the template, never
 * concatenated with it, and a pair inside a value is text.
 */
@NullMarked
package io.dualstackd.agent.log.io;

import org.jspecify.annotations.NullMarked;
