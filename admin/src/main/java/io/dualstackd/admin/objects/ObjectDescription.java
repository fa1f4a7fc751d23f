package io.dualstackd.admin.objects;

import io.dualstackd.admin.pods.PodsText;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A description of an object that is not a Service, in the lines of {@code kubectl describe}. */
final class ObjectDescription {
    private static final int WIDTH = 22;

    private final KnownObjects objects;
    private final KnownObject object;
    private final DescriptionText text = new DescriptionText(WIDTH);

    private ObjectDescription(KnownObjects objects, KnownObject object) {
        this.objects = objects;
        this.object = object;
    }

    static String of(KnownObjects objects, KnownObject object) {
        return new ObjectDescription(objects, object).describe();
    }

    private String describe() {
        if (object.kind() == ObjectKind.PODS) {
            objects.pods()
                    .flatMap(report -> report.pods().all().stream()
                            .filter(pod -> pod.namespace().equals(object.namespace())
                                    && pod.name().equals(object.name()))
                            .findFirst()
                            .map(pod -> PodsText.description(report, pod)))
                    .ifPresent(text::plain);
        } else {
            head();
            body();
        }
        text.events(objects.report(), object.kind(), object.namespace(), object.name());
        return text.toString();
    }

    private void head() {
        text.line("Name", object.name());
        text.unlessEmpty("Namespace", object.namespace());
        KnownObject described = objects.report().whole().described(object);
        text.labels(described);
        text.annotations(described);
    }

    private void body() {
        switch (object.kind()) {
            case ENDPOINT_SLICES -> slice();
            case ENDPOINTS -> endpoints();
            case SERVICE_CIDRS -> cidr();
            case IP_ADDRESSES -> parent();
            case NODES -> node();
            // The first has a class of its own, pods are described from more than the object, and an event is described
            // with its object.
            case SERVICES, PODS, EVENTS -> {}
        }
    }

    private void slice() {
        text.line("AddressType", object.text("addressType"));
        ports(object.items("ports"));
        List<Tree> endpoints = object.items("endpoints");
        if (endpoints.isEmpty()) {
            text.line("Endpoints", List.of());
            return;
        }
        text.plain("Endpoints:\n");
        for (Tree endpoint : endpoints) {
            inner("- Addresses", words(KnownObject.items(endpoint, "addresses")));
            List<String> conditions = new ArrayList<>();
            for (String condition : List.of("ready", "serving", "terminating")) {
                String value = KnownObject.text(endpoint, "conditions", condition);
                if (!value.isEmpty()) {
                    conditions.add(condition + "=" + value);
                }
            }
            inner("  Conditions", conditions.isEmpty() ? "<unset>" : String.join(",", conditions));
            String target = KnownObject.text(endpoint, "targetRef", "name");
            inner(
                    "  TargetRef",
                    target.isEmpty() ? "" : KnownObject.text(endpoint, "targetRef", "kind") + "/" + target);
            inner("  NodeName", KnownObject.text(endpoint, "nodeName"));
            inner("  Zone", KnownObject.text(endpoint, "zone"));
        }
    }

    private void inner(String name, String value) {
        if (!value.isEmpty()) {
            text.line("  " + name, value);
        }
    }

    private void endpoints() {
        List<Tree> subsets = object.items("subsets");
        if (subsets.isEmpty()) {
            text.line("Subsets", List.of());
            return;
        }
        text.plain("Subsets:\n");
        for (Tree subset : subsets) {
            for (String field : List.of("addresses", "notReadyAddresses")) {
                List<String> ips = KnownObject.items(subset, field).stream()
                        .map(address -> KnownObject.text(address, "ip"))
                        .toList();
                text.line(
                        field.equals("addresses") ? "  Addresses" : "  NotReadyAddresses",
                        ips.isEmpty() ? "<none>" : String.join(",", ips));
            }
            ports(KnownObject.items(subset, "ports"));
        }
    }

    private void ports(List<Tree> ports) {
        text.table(
                "Ports",
                List.of("Name", "Port", "Protocol"),
                ports.stream()
                        .map(port -> List.of(
                                or(KnownObject.text(port, "name"), "<unset>"),
                                or(KnownObject.text(port, "port"), "<unset>"),
                                or(KnownObject.text(port, "protocol"), "TCP")))
                        .toList(),
                "  ");
    }

    private void cidr() {
        text.line("CIDRs", object.words("spec", "cidrs"));
        text.table(
                "Conditions",
                List.of("Type", "Status", "Reason", "Message"),
                object.items("status", "conditions").stream()
                        .map(condition -> List.of(
                                KnownObject.text(condition, "type"),
                                KnownObject.text(condition, "status"),
                                or(KnownObject.text(condition, "reason"), DescriptionText.BLANK),
                                KnownObject.text(condition, "message")))
                        .toList(),
                "  ");
    }

    private void parent() {
        text.plain("Parent Reference:\n");
        for (String field : List.of("group", "resource", "namespace", "name")) {
            String value = object.text("spec", "parentRef", field);
            inner(field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1), value);
        }
    }

    private void node() {
        text.plain("Addresses:\n");
        for (Tree address : object.items("status", "addresses")) {
            inner(KnownObject.text(address, "type"), KnownObject.text(address, "address"));
        }
        text.line("Kube-Proxy Version", object.text("status", "nodeInfo", "kubeProxyVersion"));
    }

    private static String or(String value, String otherwise) {
        return Optional.of(value).filter(word -> !word.isEmpty()).orElse(otherwise);
    }

    private static String words(List<Tree> values) {
        return String.join(",", values.stream().map(KnownObject::word).toList());
    }
}
