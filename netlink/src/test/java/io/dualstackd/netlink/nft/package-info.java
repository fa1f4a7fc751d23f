/** Tests of nf_tables messages: captured ones, random ones, and that every case of the sealed types is among the captured ones. */
@NullMarked
package io.dualstackd.netlink.nft;

import org.jspecify.annotations.NullMarked;
