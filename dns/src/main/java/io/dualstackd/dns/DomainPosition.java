package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsName;

/** The position of a name in the domain, by its form alone. */
sealed interface DomainPosition {
    /** The domain itself. */
    record Apex() implements DomainPosition {}

    /** {@code dns-version}. */
    record Version() implements DomainPosition {}

    /** {@code ns.dns}, the zone's name for its server. */
    record NameServer() implements DomainPosition {}

    /** A name that exists only as part of others: {@code svc}, {@code pod}, {@code dns}. */
    record Between() implements DomainPosition {}

    /** {@code namespace.svc}. */
    record Namespace(String namespace) implements DomainPosition {}

    /** {@code namespace.pod}. */
    record PodNamespace(String namespace) implements DomainPosition {}

    /** {@code 10-1-2-3.namespace.pod}. */
    record Pod(String namespace, String label) implements DomainPosition {}

    /** {@code service.namespace.svc}. */
    record Service(String namespace, String service) implements DomainPosition {}

    /** {@code label.service.namespace.svc}: an endpoint, or {@code _tcp}. */
    record Label(String namespace, String service, String label) implements DomainPosition {}

    /** {@code _port._protocol.service.namespace.svc}, without the underscores. */
    record Port(String namespace, String service, String port, String protocol) implements DomainPosition {}

    /** A form that no name of the domain has. */
    record Nowhere() implements DomainPosition {}

    /** @param name in {@code domain} */
    static DomainPosition of(DnsName name, DnsName domain) {
        int labels = name.labels() - domain.labels();
        if (labels == 0) {
            return new Apex();
        }
        String branch = name.label(labels - 1);
        return switch (branch) {
            case "svc" -> service(name, labels);
            case "pod" -> pod(name, labels);
            case "dns-version" -> labels == 1 ? new Version() : new Nowhere();
            case "dns" -> {
                if (labels == 1) {
                    yield new Between();
                }
                yield labels == 2 && name.label(0).equals("ns") ? new NameServer() : new Nowhere();
            }
            default -> new Nowhere();
        };
    }

    private static DomainPosition pod(DnsName name, int labels) {
        return switch (labels) {
            case 1 -> new Between();
            case 2 -> new PodNamespace(name.label(0));
            case 3 -> new Pod(name.label(1), name.label(0));
            default -> new Nowhere();
        };
    }

    private static DomainPosition service(DnsName name, int labels) {
        return switch (labels) {
            case 1 -> new Between();
            case 2 -> new Namespace(name.label(0));
            case 3 -> new Service(name.label(1), name.label(0));
            case 4 -> new Label(name.label(2), name.label(1), name.label(0));
            case 5 ->
                new Port(
                        name.label(3),
                        name.label(2),
                        withoutUnderscore(name.label(0)),
                        withoutUnderscore(name.label(1)));
            default -> new Nowhere();
        };
    }

    private static String withoutUnderscore(String label) {
        // The underscore alone stands for itself: without it, it would be any port.
        return label.length() > 1 && label.startsWith("_") ? label.substring(1) : label;
    }
}
