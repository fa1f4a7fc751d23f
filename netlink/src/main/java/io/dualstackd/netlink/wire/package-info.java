/**
 * The netlink message format ({@code linux/netlink.h}): headers, type-length-value attributes, their nesting and alignment.
 *
 * <p>In: bytes, or values with the {@link io.dualstackd.netlink.wire.Attr} that defines their encoding. Out: values, or bytes. An attribute
 * is declared once (number, kernel name, kind with byte order), grouped by {@link io.dualstackd.netlink.wire.AttrTable}; writer, reader and
 * printer all use that declaration, and error texts are derived from it. Must not touch: sockets, clocks, loggers, meaning of any message
 * family.
 *
 * <p>The one surprising thing: byte order belongs to the attribute kind, never to the codec. Inside one nf_tables message the
 * headers are in host order, most values big-endian, and some payloads host order again.
 */
@NullMarked
package io.dualstackd.netlink.wire;

import org.jspecify.annotations.NullMarked;
