/** Accounting objects of netfilter, {@code nfnetlink_acct}: named counters that rules of iptables add to. */
@NullMarked
package io.dualstackd.netlink.nfacct.io;

import org.jspecify.annotations.NullMarked;
