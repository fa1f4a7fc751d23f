/** Tests of rtnetlink messages: captured ones, and random ones. */
@NullMarked
package io.dualstackd.netlink.route;

import org.jspecify.annotations.NullMarked;
