/**
 * Which cluster IPs and node ports are free, and which one is next: KEP-1880 and the bands of KEP-3070 and KEP-3668.
 *
 * <p>In: networks and port ranges, what is in use, a source of randomness. Out: an address or a port, or why there is none. Must not touch:
 * objects of Kubernetes, files; the owner of a number, and where it is recorded, are not known here.
 *
 * <p>The one surprising thing: what is in use is kept as runs of consecutive numbers, so that the next free number is found quickly however
 * large and however full the network is.
 */
@NullMarked
package io.dualstackd.standalone.allocation;

import org.jspecify.annotations.NullMarked;
