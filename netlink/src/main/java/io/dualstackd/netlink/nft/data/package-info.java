/**
 * Operands of nf_tables expressions: data of registers, verdicts, keys of metadata and connections, operators, and the attributes shared by
 * expressions ({@code linux/netfilter/nf_tables.h}).
 */
@NullMarked
package io.dualstackd.netlink.nft.data;

import org.jspecify.annotations.NullMarked;
