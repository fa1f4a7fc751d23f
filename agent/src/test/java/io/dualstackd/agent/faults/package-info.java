/**
 * Faults around a running daemon, and one oracle for all of them: within a stated time the kernel holds what the objects say, or the
 * daemon says what is wrong. The daemon is a process of its own in a network namespace of its own; API server, supervisor and oracle are in
 * the process of the test, or of {@code bin/soak}.
 */
@NullMarked
package io.dualstackd.agent.faults;

import org.jspecify.annotations.NullMarked;
