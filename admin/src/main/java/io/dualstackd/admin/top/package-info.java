/** How much each Service is used: connections, refused and dropped attempts, as the kernel counts them. */
@NullMarked
package io.dualstackd.admin.top;

import org.jspecify.annotations.NullMarked;
