package io.dualstackd.netlink.wire;

/**
 * The declaration of one netlink attribute: its number in the kernel header, its name there, and its kind. Writer, reader and
 * printer take the declaration, so a value of the wrong kind does not compile and a payload of the wrong size does not decode.
 */
public sealed interface Attr {

    /** The {@code nla_type} without flag bits, 0 to 16383. */
    int number();

    /** The name in the kernel header, for example {@code IFA_LOCAL}. */
    String name();

    /** One byte. */
    record U8(int number, String name) implements Attr {}

    /** Two bytes, host order. */
    record U16(int number, String name) implements Attr {}

    /** Two bytes, network order. */
    record U16be(int number, String name) implements Attr {}

    /** Four bytes, host order. */
    record U32(int number, String name) implements Attr {}

    /** Four bytes, network order. */
    record U32be(int number, String name) implements Attr {}

    /** Eight bytes, host order. */
    record U64(int number, String name) implements Attr {}

    /** Eight bytes, network order. */
    record U64be(int number, String name) implements Attr {}

    /** Text, NUL-terminated when written, with or without the NUL when read. */
    record Text(int number, String name) implements Attr {}

    /** An IPv4 or IPv6 address, 4 or 16 bytes in network order. */
    record Address(int number, String name) implements Attr {}

    /** Present or absent, without payload. */
    record Flag(int number, String name) implements Attr {}

    /** A payload with a format of its own: a C structure, user data, or nesting that depends on a sibling attribute. */
    record Payload(int number, String name) implements Attr {}

    /** A nest of attributes out of {@code table}. */
    record Nest(int number, String name, AttrTable table) implements Attr {}

    /** A nest whose attributes all are {@code NFTA_LIST_ELEM} (or any number), each one a nest out of {@code table}. */
    record ListOf(int number, String name, AttrTable table) implements Attr {}
}
