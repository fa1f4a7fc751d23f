/**
 * The user data of nf_tables objects, in which the {@code nft} tool stores how to print them, in libnftnl's format.
 */
@NullMarked
package io.dualstackd.netlink.nft.userdata;

import org.jspecify.annotations.NullMarked;
