/**
 * The sockets behind {@link io.dualstackd.pages.health}: one thread that listens on all of them.
 *
 * <p>In: where to listen, and functions from requests to answers. Out: HTTP/1 over TCP, one request per connection. Must not touch: the
 * Store, the kernel's rules.
 *
 * <p>The one surprising thing: there is no HTTP library. A request is a line of text and an answer fits into one packet; the libraries
 * would cost 13 to 20 MB of a daemon that is to stay under 120 ({@code docs/adr/0007-health-over-nio.md}).
 */
@NullMarked
package io.dualstackd.pages.health.io;

import org.jspecify.annotations.NullMarked;
