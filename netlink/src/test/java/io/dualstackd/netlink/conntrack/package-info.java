/** Tests of conntrack messages: captured ones, and random ones. */
@NullMarked
package io.dualstackd.netlink.conntrack;

import org.jspecify.annotations.NullMarked;
