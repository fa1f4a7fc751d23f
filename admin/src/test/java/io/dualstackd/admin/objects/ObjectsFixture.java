package io.dualstackd.admin.objects;

import io.dualstackd.admin.OwnNode;
import io.dualstackd.admin.Reports;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.standalone.edit.FileEdit;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.LedgerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of a store, and what is asked about them. */
abstract class ObjectsFixture {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final String WEB = """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop, labels: {app: web}}
            spec:
              type: NodePort
              clusterIP: 10.96.0.10
              clusterIPs: [10.96.0.10, "fd00:96::a"]
              ipFamilies: [IPv4, IPv6]
              ipFamilyPolicy: RequireDualStack
              externalTrafficPolicy: Cluster
              internalTrafficPolicy: Cluster
              sessionAffinity: None
              selector: {tier: front, app: web}
              ports: [{name: http, port: 80, targetPort: 8080, protocol: TCP, nodePort: 30080}, {name: dns, port: 53, protocol: UDP, targetPort: dns, nodePort: 30053}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: db, namespace: shop}
            spec: {clusterIP: None, clusterIPs: [None], ipFamilies: [IPv6], type: ClusterIP, sessionAffinity: None}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: lb}
            spec: {type: LoadBalancer, clusterIP: 10.96.0.11, clusterIPs: [10.96.0.11], externalIPs: [192.0.2.9], ports: [{port: 443, protocol: TCP}]}
            status: {loadBalancer: {ingress: [{ip: 198.51.100.7, ipMode: VIP}, {ip: "2001:db8::7", ipMode: VIP}]}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: ext}
            spec: {type: ExternalName, externalName: example.com}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints: [{addresses: [10.0.0.1]}, {addresses: [10.0.0.2]}, {addresses: [10.0.0.3]}, {addresses: [10.0.0.4]}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-6, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv6
            ports: [{name: http, port: 8080}, {name: dns, port: 53, protocol: UDP}]
            endpoints: [{addresses: ["fd01::1"], conditions: {ready: false}, nodeName: n1}]
            """;

    final Store store = new Store();
    Optional<List<GeneratedSlice>> made = Optional.of(List.of());
    final List<Problem> problems = new ArrayList<>();
    Optional<LedgerView> ledger = Optional.empty();
    Map<ServiceKey, String> leftOut = Map.of();
    WholeObjects whole = WholeObjects.ofManifests(
            key -> {
                FileEdit file = new FileEdit("web.yaml", WEB, Dialect.STORED);
                return file.decoded().find(key).flatMap(locatedObject -> file.whole(locatedObject.object()));
            },
            key -> Optional.empty());

    ObjectsFixture() {
        store.apply(Manifests.decode("web.yaml", WEB).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
    }

    ObjectsReport report() {
        return ObjectsReportBuilder.services(store.services(), whole)
                .generated(made)
                .cidrs(List.of(new ServiceCidr("pods", List.of(IpPrefix.parse("10.96.0.0/16")))))
                .ledger(ledger)
                .problems(problems)
                .leftOut(leftOut)
                .madeAt(NOW)
                .report();
    }

    String get(String kind, Listing.Format format, String namespace, String name) {
        return get(List.of(target(kind, name)), format, namespace, "");
    }

    static Listing.Target target(String kind, String name) {
        return new Listing.Target(
                ObjectKind.named(kind).orElseThrow(), Optional.of(name).filter(n -> !n.isEmpty()));
    }

    String get(List<Listing.Target> targets, Listing.Format format, String namespace, String selector) {
        Listing.Result result = new Listing(
                        targets,
                        format,
                        Optional.of(namespace).filter(n -> !n.isEmpty()),
                        LabelSelector.parse(selector))
                .of(new KnownObjects(report(), Optional.empty(), OwnNode.of(Reports.healthy())));
        return switch (result) {
            case Listing.Result.Text(String text, List<Listing.Target> missing) ->
                text + (missing.isEmpty() ? "" : "not found");
            case Listing.Result.Refused(String why) -> "refused: " + why;
        };
    }

    String table(String kind, String namespace) {
        return get(kind, Listing.Format.TEXT, namespace, "");
    }

    void settled() {
        Instant day = NOW.minusSeconds(86_400);
        List<Entry> entries = new ArrayList<>();
        Manifests.decode("web.yaml", WEB, Dialect.WRITTEN).objects().forEach(locatedObject -> {
            if (locatedObject.object() instanceof WrittenService service) {
                entries.add(new Entry.ServiceEntry(service.key(), NOW.minusSeconds(200), service.tree()));
            }
        });
        entries.add(new Entry.CidrEntry(
                cidr("kubernetes"),
                day.minusSeconds(86_400 * 2),
                List.of(IpPrefix.parse("10.96.0.0/16"), IpPrefix.parse("fd00:96::/112")),
                Optional.empty(),
                false));
        entries.add(new Entry.CidrEntry(
                cidr("old"), day, List.of(IpPrefix.parse("10.97.0.0/16")), Optional.of(NOW.minusSeconds(5)), true));
        entries.add(new Entry.AddressEntry(
                day, new IpAddress(Ip.parse("fd00:96::a"), IpAddress.Parent.service("shop", "web"), true)));
        entries.add(new Entry.AddressEntry(
                day,
                new IpAddress(Ip.parse("10.97.0.1"), new IpAddress.Parent("example.com", "hosts", "", "h1"), false)));
        ledger = Optional.of(new LedgerView(
                entries,
                List.of(new LedgerView.Waiting("old", Optional.of("10.97.0.1"))),
                List.of(new Event(
                        new ObjectKey(ObjectKey.Kind.SERVICE, "shop", "web"),
                        Event.Type.WARNING,
                        "ClusterIPNotAllocated",
                        "Cluster IP [IPv6]: fd00:96::a is not allocated; repairing",
                        NOW.minusSeconds(120),
                        NOW.minusSeconds(5),
                        3)),
                List.of()));
    }

    static ObjectKey cidr(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", name);
    }

    void put(String text) {
        store.apply(Manifests.decode("more.yaml", text).objects().stream()
                .<Update>map(locatedObject -> new Update.Put(locatedObject.object()))
                .toList());
    }

    /** A ledger has these Services, and no other. */
    void admitted(String text) {
        List<Entry> entries = new ArrayList<>();
        Manifests.decode("more.yaml", text, Dialect.WRITTEN).objects().forEach(locatedObject -> {
            if (locatedObject.object() instanceof WrittenService service) {
                entries.add(new Entry.ServiceEntry(service.key(), NOW, service.tree()));
            }
        });
        ledger = Optional.of(new LedgerView(entries, List.of(), List.of(), List.of()));
    }
}
