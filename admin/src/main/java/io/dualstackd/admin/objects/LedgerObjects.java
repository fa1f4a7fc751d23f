package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.TreeOutput;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.standalone.allocation.ServiceRange;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.LedgerView;
import io.dualstackd.standalone.serviceapi.WrittenAs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/** The objects of the ledger, as Kubernetes objects. */
final class LedgerObjects {
    private static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";
    private static final String FAMILY_LABEL = "ipaddress.kubernetes.io/ip-family";
    private static final String MANAGED_BY_LABEL = "ipaddress.kubernetes.io/managed-by";
    private static final String COMPONENT = "dualstackd";
    private static final String ALLOCATOR = "ipallocator.k8s.io";

    private LedgerObjects() {}

    static KnownObject service(Entry.ServiceEntry entry) {
        return new KnownObject(
                ObjectKind.SERVICES,
                entry.key().namespace(),
                entry.key().name(),
                Optional.of(entry.created()),
                TreeOutput.object(WrittenAs.unsigned(entry.object())));
    }

    static KnownObject cidr(Entry.CidrEntry entry, LedgerView ledger) {
        String name = entry.key().name();
        Tree.Mapping metadata = Tree.object("creationTimestamp", time(entry.created()))
                .with("deletionTimestamp", entry.deleting().map(LedgerObjects::time))
                .with("finalizers", List.of(FINALIZER))
                .with("name", name);
        Tree.Mapping object = Tree.object("apiVersion", ObjectKind.SERVICE_CIDRS.apiVersion())
                .with("kind", ObjectKind.SERVICE_CIDRS)
                .with("metadata", metadata)
                .with("spec", Tree.object("cidrs", entry.cidrs()))
                .with("status", Tree.object("conditions", List.of(ready(entry, ledger))));
        return new KnownObject(ObjectKind.SERVICE_CIDRS, "", name, Optional.of(entry.created()), object);
    }

    private static Tree.Mapping ready(Entry.CidrEntry entry, LedgerView ledger) {
        Tree.Mapping condition =
                Tree.object("lastTransitionTime", time(entry.deleting().orElse(entry.created())));
        if (entry.deleting().isEmpty()
                && entry.cidrs().stream()
                        .allMatch(network ->
                                new ServiceRange(network).size() == 0 || !new ServiceRange(network).isAllocatable())) {
            return condition
                    .with(
                            "message",
                            "No address can be allocated from " + entry.cidrs()
                                    + ": an IPv6 network must be /64 or smaller, and one of either family must have"
                                    + " addresses besides its own")
                    .with("reason", "NotAllocatable")
                    .with("status", "False")
                    .with("type", "Ready");
        }
        if (entry.deleting().isEmpty()) {
            return condition
                    .with("message", "Kubernetes Service CIDR is ready")
                    .with("reason", "")
                    .with("status", "True")
                    .with("type", "Ready");
        }
        String kept = ledger.waiting().stream()
                .filter(waiting -> waiting.serviceCidr().equals(entry.key().name()))
                .flatMap(waiting -> waiting.keptBy().stream())
                .findFirst()
                .map(address ->
                        "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new"
                                + " ServiceCIDR: " + address)
                .orElse("No IPAddress depends on the ServiceCIDR any more; it is removed in a moment");
        return condition
                .with("message", kept)
                .with("reason", "Terminating")
                .with("status", "False")
                .with("type", "Ready");
    }

    static KnownObject address(Entry.AddressEntry entry) {
        IpAddress address = entry.address();
        String name = address.ip().toString();
        Tree.Mapping labels = Tree.object(FAMILY_LABEL, family(address.ip()));
        if (address.managed()) {
            labels = labels.with(MANAGED_BY_LABEL, ALLOCATOR);
        }
        IpAddress.Parent parent = address.parent();
        Tree.Mapping object = Tree.object("apiVersion", ObjectKind.IP_ADDRESSES.apiVersion())
                .with("kind", ObjectKind.IP_ADDRESSES)
                .with(
                        "metadata",
                        Tree.object("creationTimestamp", time(entry.created()))
                                .with("labels", labels)
                                .with("name", name))
                .with(
                        "spec",
                        Tree.object(
                                "parentRef",
                                Tree.object("group", parent.group())
                                        .with("name", parent.name())
                                        .with("namespace", parent.namespace())
                                        .with("resource", parent.resource())
                                        .with("uid", Optional.of(parent.uid()).filter(uid -> !uid.isEmpty()))));
        return new KnownObject(ObjectKind.IP_ADDRESSES, "", name, Optional.of(entry.created()), object);
    }

    /** An Event object. Events of objects outside namespaces are in {@code default}, as in Kubernetes. */
    static KnownObject event(Event event, String node) {
        ObjectKey about = event.about();
        String namespace = about.namespace().isEmpty() ? "default" : about.namespace();
        String name = about.name() + "." + hash(event);
        Tree.Mapping involved = Tree.object("apiVersion", about.kind().apiVersion())
                .with("kind", about.kind())
                .with("name", about.name());
        Tree.Mapping object = Tree.object("apiVersion", ObjectKind.EVENTS.apiVersion())
                .with("count", event.count())
                .with("firstTimestamp", time(event.first()))
                .with(
                        "involvedObject",
                        about.namespace().isEmpty() ? involved : involved.with("namespace", about.namespace()))
                .with("kind", ObjectKind.EVENTS)
                .with("lastTimestamp", time(event.last()))
                .with("message", event.message())
                .with("metadata", Tree.object("name", name).with("namespace", namespace))
                .with("reason", event.reason())
                .with("reportingComponent", COMPONENT)
                .with("reportingInstance", node)
                .with("source", Tree.object("component", COMPONENT).with("host", node))
                .with("type", event.type());
        // To the second, as its fields have it: otherwise the first time could be shown as later than the last.
        Instant first = event.first().truncatedTo(ChronoUnit.SECONDS);
        return new KnownObject(ObjectKind.EVENTS, namespace, name, Optional.of(first), object);
    }

    /** A hash that is the same for the same event, however often it happens. */
    private static String hash(Event event) {
        CRC32 crc = new CRC32();
        crc.update((event.about() + "\n" + event.type() + "\n" + event.reason() + "\n" + event.message())
                .getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    private static String family(Ip ip) {
        return ip.family().toString();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
