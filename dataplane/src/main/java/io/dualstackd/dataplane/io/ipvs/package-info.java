/**
 * IPVS mode in the kernel: virtual servers and the link that holds their addresses, beside the rules of iptables mode.
 */
@NullMarked
package io.dualstackd.dataplane.io.ipvs;

import org.jspecify.annotations.NullMarked;
