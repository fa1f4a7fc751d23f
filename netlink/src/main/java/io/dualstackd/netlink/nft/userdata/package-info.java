/**
 * The user data of nf_tables objects: what the {@code nft} tool keeps there to print them, in libnftnl's format.
 */
@NullMarked
package io.dualstackd.netlink.nft.userdata;

import org.jspecify.annotations.NullMarked;
