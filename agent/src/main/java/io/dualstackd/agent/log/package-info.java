/**
 * Types about logging that the configuration needs: {@link io.dualstackd.agent.log.LogFormat}, {@link io.dualstackd.agent.log.LogLevel}.
 *
 * <p>In, out: nothing; just names. Must not touch: loggers, those are in {@code agent.log.io}.
 *
 * <p>The one surprising thing: there are five levels, although {@code java.util.logging} underneath has seven.
 */
@NullMarked
package io.dualstackd.agent.log;

import org.jspecify.annotations.NullMarked;
