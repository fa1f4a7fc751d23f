/** Tests of the xtables structures, with the kernel's own headers as the reference. */
@NullMarked
package io.dualstackd.netlink.xt;

import org.jspecify.annotations.NullMarked;
