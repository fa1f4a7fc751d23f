/** The server, over real sockets on loopback. */
@NullMarked
package io.dualstackd.dns.io;

import org.jspecify.annotations.NullMarked;
