/** Tests of the xtables structures, with the kernel's own headers as witness. */
@NullMarked
package io.dualstackd.netlink.xt;

import org.jspecify.annotations.NullMarked;
