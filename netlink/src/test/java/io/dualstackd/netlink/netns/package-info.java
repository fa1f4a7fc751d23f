/**
 * Network namespaces for tests, and the system's tools as an independent reference for what the kernel holds.
 *
 * <p>In: a namespace and a command. Out: what it printed. The product never starts a program; tests do, because they must not
 * believe our own reading of our own writing.
 */
@NullMarked
package io.dualstackd.netlink.netns;

import org.jspecify.annotations.NullMarked;
