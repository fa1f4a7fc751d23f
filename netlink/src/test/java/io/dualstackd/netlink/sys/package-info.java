/** Tests of the door to libc, against the running kernel. */
@NullMarked
package io.dualstackd.netlink.sys;

import org.jspecify.annotations.NullMarked;
