/** Tables of iptables legacy against bytes of our own making; those of the kernel's making are read in {@code netlink.io}. */
@NullMarked
package io.dualstackd.netlink.xt.table;

import org.jspecify.annotations.NullMarked;
