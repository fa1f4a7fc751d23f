/**
 * Which cluster IPs and node ports are free, and which one is next: KEP-1880 and the bands of KEP-3070 and KEP-3668.
 *
 * <p>In: networks and port ranges, what is in use, a source of randomness. Out: an address or a port, or why there is none. Must not
 * touch: objects of Kubernetes, files; who holds a number and where that is written down is not known here.
 *
 * <p>The one surprising thing: what is in use is held as runs of neighbours, so that the next free number is found at once however
 * large the network is and however full.
 */
@NullMarked
package io.dualstackd.standalone.allocation;

import org.jspecify.annotations.NullMarked;
