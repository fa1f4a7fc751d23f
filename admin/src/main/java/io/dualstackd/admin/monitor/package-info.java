/** What happens in a running daemon, line by line, for {@code monitor}. */
@NullMarked
package io.dualstackd.admin.monitor;

import org.jspecify.annotations.NullMarked;
