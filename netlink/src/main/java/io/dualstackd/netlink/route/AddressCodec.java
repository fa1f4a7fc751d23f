package io.dualstackd.netlink.route;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Optional;

/** Bodies of {@code RTM_NEWADDR}, {@code RTM_DELADDR}, {@code RTM_GETADDR}. */
public final class AddressCodec {
    private static final Attr.Address ADDRESS = new Attr.Address(1, "IFA_ADDRESS");
    private static final Attr.Address LOCAL = new Attr.Address(2, "IFA_LOCAL");
    private static final Attr.Text LABEL = new Attr.Text(3, "IFA_LABEL");
    private static final Attr.Address BROADCAST = new Attr.Address(4, "IFA_BROADCAST");
    private static final Attr.Payload CACHEINFO = new Attr.Payload(6, "IFA_CACHEINFO");
    private static final Attr.U32 FLAGS = new Attr.U32(8, "IFA_FLAGS");
    private static final AttrTable TABLE = AttrTable.of("IFA", ADDRESS, LOCAL, LABEL, BROADCAST, CACHEINFO, FLAGS);

    private AddressCodec() {}

    public static Address read(NlReader reader) throws DecodeException {
        IpFamily family = Families.read(reader);
        int prefixLength = Families.length(reader, family);
        int shortFlags = reader.u8();
        Scope scope = new Scope(reader.u8());
        int link = reader.u32();
        Attrs attrs = reader.attrs(TABLE);
        // Where both are present, IFA_LOCAL is the own address and IFA_ADDRESS the other end's. IPv4 sends both,
        // equal ones unless the link is point to point; IPv6 sends IFA_ADDRESS alone unless there is another end.
        // IPv4 leaves out IFA_ADDRESS when the other end is 0.0.0.0.
        boolean unspecified = attrs.has(LOCAL) && !attrs.has(ADDRESS);
        Ip address = unspecified ? Ip.unspecified(family) : attrs.get(ADDRESS);
        Ip own = attrs.find(LOCAL).orElse(address);
        Optional<Ip> broadcast = attrs.find(BROADCAST);
        Families.check(reader, family, own);
        Families.check(reader, family, address);
        return new Address(
                link,
                own,
                prefixLength,
                own.equals(address) ? Optional.empty() : Optional.of(address),
                scope,
                attrs.get(FLAGS, shortFlags),
                attrs.get(LABEL, ""),
                broadcast,
                attrs.has(CACHEINFO) ? Optional.of(lifetime(attrs.reader(CACHEINFO))) : Optional.empty(),
                attrs.unknown());
    }

    private static Lifetime lifetime(NlReader reader) throws DecodeException {
        return new Lifetime(reader.u32(), reader.u32(), reader.u32(), reader.u32());
    }

    public static void write(NlWriter writer, Address address) {
        header(writer, address);
        Ip peer = address.peer().orElse(address.ip());
        writer.put(ADDRESS, peer);
        if (address.family() == IpFamily.IPV4 || address.peer().isPresent()) {
            writer.put(LOCAL, address.ip());
        }
        address.broadcast().ifPresent(all -> writer.put(BROADCAST, all));
        if (!address.label().isEmpty()) {
            writer.put(LABEL, address.label());
        }
        address.lifetime()
                .ifPresent(span -> writer.payload(CACHEINFO, body -> {
                    body.u32(span.preferred());
                    body.u32(span.valid());
                    body.u32(span.created());
                    body.u32(span.updated());
                }));
        writer.put(FLAGS, address.flags());
        address.others().forEach(writer::put);
    }

    /** Requests all addresses of a family. */
    public static void writeListAll(NlWriter writer, IpFamily family) {
        writer.u8(family.number());
        writer.zeros(7);
    }

    private static void header(NlWriter writer, Address address) {
        writer.u8(address.family().number());
        writer.u8(address.prefixLength());
        writer.u8(address.flags());
        writer.u8(address.scope().number());
        writer.u32(address.link());
    }
}
