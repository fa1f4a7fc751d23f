/** Other virtual machines for tests of what concerns a whole process, such as its limits. */
@NullMarked
package io.dualstackd.netlink.process;

import org.jspecify.annotations.NullMarked;
