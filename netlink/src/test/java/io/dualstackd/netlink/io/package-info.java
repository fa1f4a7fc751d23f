/**
 * Tests of talking netlink, and what other tests need for theirs: {@link io.dualstackd.netlink.io.ScriptedKernel} answers from a
 * script, {@link io.dualstackd.netlink.io.FaultyTransport} injects faults in front of any other transport.
 */
@NullMarked
package io.dualstackd.netlink.io;

import org.jspecify.annotations.NullMarked;
