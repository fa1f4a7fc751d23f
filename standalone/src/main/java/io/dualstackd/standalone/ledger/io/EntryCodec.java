package io.dualstackd.standalone.ledger.io;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Encodes changes of the ledger as payloads of records: a letter for the kind of change, then JSON. */
final class EntryCodec {
    private static final char SERVICE = 'S';
    private static final char CIDR = 'C';
    private static final char ADDRESS = 'A';
    private static final char GONE = 'G';

    private EntryCodec() {}

    static byte[] encode(LedgerChange ledgerChange) {
        return switch (ledgerChange) {
            case LedgerChange.Gone(ObjectKey key) ->
                encode(GONE, keyed(Tree.object("kind", key.kind().name()), key));
            case LedgerChange.Put(Entry.ServiceEntry entry) ->
                encode(SERVICE, created(entry).with("object", entry.object()));
            case LedgerChange.Put(Entry.CidrEntry entry) ->
                encode(
                        CIDR,
                        created(entry)
                                .with("cidrs", entry.cidrs())
                                .with("deleting", entry.deleting())
                                .with("written", entry.written()));
            case LedgerChange.Put(Entry.AddressEntry entry) -> {
                IpAddress.Parent parent = entry.address().parent();
                yield encode(
                        ADDRESS,
                        created(entry)
                                .with("group", parent.group())
                                .with("resource", parent.resource())
                                .with("parentNamespace", parent.namespace())
                                .with("parent", parent.name())
                                .with("parentUid", Optional.of(parent.uid()).filter(uid -> !uid.isEmpty()))
                                .with("managed", entry.address().managed()));
            }
        };
    }

    private static Tree.Mapping created(Entry entry) {
        return keyed(Tree.object(), entry.key()).with("created", entry.created());
    }

    private static Tree.Mapping keyed(Tree.Mapping tree, ObjectKey key) {
        return tree.with("namespace", key.namespace()).with("name", key.name());
    }

    private static byte[] encode(char letter, Tree tree) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(letter);
        try {
            JsonPrint.write(tree, out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return out.toByteArray();
    }

    /** @throws IOException when the payload is not one of dualstackd */
    static LedgerChange decode(byte[] payload) throws IOException {
        try {
            Tree.Mapping tree = JsonTree.read(payload, 1);
            return switch ((char) payload[0]) {
                case GONE -> new LedgerChange.Gone(key(ObjectKey.Kind.valueOf(text(tree, "kind")), tree));
                case SERVICE ->
                    new LedgerChange.Put(new Entry.ServiceEntry(
                            key(ObjectKey.Kind.SERVICE, tree), created(tree), (Tree.Mapping) value(tree, "object")));
                case CIDR ->
                    new LedgerChange.Put(new Entry.CidrEntry(
                            key(ObjectKey.Kind.SERVICE_CIDR, tree),
                            created(tree),
                            cidrs(tree),
                            Optional.ofNullable(tree.entries().get("deleting"))
                                    .map(when -> Instant.parse(((Tree.Scalar) when).text())),
                            truth(tree, "written")));
                case ADDRESS -> new LedgerChange.Put(new Entry.AddressEntry(created(tree), address(tree)));
                default -> throw new IOException("a record of an unknown kind");
            };
        } catch (RuntimeException e) {
            throw new IOException("a record that cannot be understood: " + e.getMessage(), e);
        }
    }

    private static Tree value(Tree.Mapping tree, String name) {
        Tree value = tree.entries().get(name);
        if (value == null) {
            throw new IllegalArgumentException("no field " + name);
        }
        return value;
    }

    private static String text(Tree.Mapping tree, String name) {
        return ((Tree.Scalar) value(tree, name)).text();
    }

    private static boolean truth(Tree.Mapping tree, String name) {
        return Boolean.parseBoolean(text(tree, name));
    }

    private static Instant created(Tree.Mapping tree) {
        return Instant.parse(text(tree, "created"));
    }

    private static ObjectKey key(ObjectKey.Kind kind, Tree.Mapping tree) {
        return new ObjectKey(kind, text(tree, "namespace"), text(tree, "name"));
    }

    private static List<IpPrefix> cidrs(Tree.Mapping tree) {
        return ((Tree.Sequence) value(tree, "cidrs"))
                .items().stream()
                        .map(item -> IpPrefix.parse(((Tree.Scalar) item).text()))
                        .toList();
    }

    private static IpAddress address(Tree.Mapping tree) {
        return new IpAddress(
                Ip.parse(text(tree, "name")),
                new IpAddress.Parent(
                        text(tree, "group"),
                        text(tree, "resource"),
                        text(tree, "parentNamespace"),
                        text(tree, "parent"),
                        tree.entries().containsKey("parentUid") ? text(tree, "parentUid") : ""),
                truth(tree, "managed"));
    }
}
