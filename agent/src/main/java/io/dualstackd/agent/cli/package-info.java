/**
 * The command line: {@link io.dualstackd.agent.cli.CommandLines} parses it, {@link io.dualstackd.agent.cli.Actions} is what it calls,
 * {@link io.dualstackd.agent.cli.ExitCode} is the result of a command.
 *
 * <p>In: arguments. Out: an exit code, text on standard output, errors on standard error. May touch: the configuration file, the admin
 * socket. Must not touch: the kernel, threads; the actions do that.
 *
 * <p>The one surprising thing: the flags of {@code run} are not declared here. They are made from {@link io.dualstackd.agent.config.Key},
 * which holds the key in the file, the flag and the help text of every setting.
 */
@NullMarked
package io.dualstackd.agent.cli;

import org.jspecify.annotations.NullMarked;
