/** What a forwarder knows, at times that the tests choose. */
@NullMarked
package io.dualstackd.dns.forward;

import org.jspecify.annotations.NullMarked;
