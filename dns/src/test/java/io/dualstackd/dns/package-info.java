/** What is answered, and the wire format: without sockets. */
@NullMarked
package io.dualstackd.dns;

import org.jspecify.annotations.NullMarked;
