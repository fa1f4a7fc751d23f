package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks addresses and networks that are written into a Service: stricter than for those read from an old one, so that no program can
 * interpret them differently. Values that were stored before may stay.
 */
final class AddressValidation {
    static final String RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

    private final Draft object;
    private final Draft spec;
    private final Draft old;
    private final Violations violations;

    private AddressValidation(Draft object, Draft old, Violations violations) {
        this.object = object;
        this.old = old.object("spec");
        this.violations = violations;
        spec = object.object("spec");
    }

    /** @param old empty for a new Service */
    static void check(Draft object, Draft old, Violations violations) {
        AddressValidation validation = new AddressValidation(object, old, violations);
        validation.externalIps();
        validation.ranges();
        validation.annotatedRanges(old);
        validation.ingress();
    }

    private void externalIps() {
        List<String> ips = spec.texts("externalIPs");
        Set<String> stored = new HashSet<>(old.texts("externalIPs"));
        for (int i = 0; i < ips.size(); i++) {
            if (!stored.contains(ips.get(i))) {
                String wrong = address(ips.get(i));
                if (!wrong.isEmpty()) {
                    violations.reject("spec.externalIPs[" + i + "]", ips.get(i), wrong);
                }
            }
        }
    }

    private void ranges() {
        List<String> ranges = spec.texts("loadBalancerSourceRanges");
        Set<String> stored = new HashSet<>(old.texts("loadBalancerSourceRanges"));
        for (int i = 0; i < ranges.size(); i++) {
            if (!stored.contains(ranges.get(i))) {
                String wrong = network(ranges.get(i).strip());
                if (!wrong.isEmpty()) {
                    violations.reject("spec.loadBalancerSourceRanges[" + i + "]", ranges.get(i), wrong);
                }
            }
        }
    }

    /** Checks the annotation. The field takes precedence over it; when the field is set, the annotation may hold anything. */
    private void annotatedRanges(Draft oldObject) {
        Draft annotations = object.object("metadata").object("annotations");
        if (!annotations.has(RANGES_ANNOTATION)
                || !spec.items("loadBalancerSourceRanges").isEmpty()) {
            return;
        }
        String value = annotations.text(RANGES_ANNOTATION);
        String path = "metadata.annotations[" + RANGES_ANNOTATION + "]";
        if (!ServiceFields.isTypeUnknown(spec) && !ServiceFields.of(spec).type().equals(ServiceFields.LOAD_BALANCER)) {
            violations.reject(path, value, "may only be set for type LoadBalancer");
        }
        String before = oldObject.object("metadata").object("annotations").text(RANGES_ANNOTATION);
        if (!value.isBlank() && !value.equals(before)) {
            for (String range : value.split(",", -1)) {
                String wrong = network(range.strip());
                if (!wrong.isEmpty()) {
                    violations.reject(path, range, "must be networks with \",\" between them: " + wrong);
                }
            }
        }
    }

    private void ingress() {
        List<Draft> entries = object.object("status").object("loadBalancer").objects("ingress");
        for (int i = 0; i < entries.size(); i++) {
            String name = entries.get(i).text("hostname");
            String path = "status.loadBalancer.ingress[" + i + "].hostname";
            if (!name.isEmpty() && FamilyShape.ipOf(name).isPresent()) {
                violations.reject(path, name, "must be a DNS name, not an address");
            } else if (!name.isEmpty() && !TextFormats.isDns(name)) {
                violations.reject(path, name, TextFormats.DNS_RULE);
            }
        }
    }

    /** Empty when it is an address; otherwise the rule it breaks. */
    static String address(String text) {
        try {
            Ip.parse(text);
            return "";
        } catch (IllegalArgumentException e) {
            return "is not an IP address" + leadingZeros(text);
        }
    }

    private static String leadingZeros(String text) {
        return FamilyShape.ipOf(text).isPresent()
                ? ": leading zeros and IPv4 within IPv6 are not accepted, because programs read them differently"
                : "";
    }

    private static String network(String text) {
        try {
            IpPrefix network = IpPrefix.parse(text);
            Ip written = Ip.parse(text.substring(0, text.indexOf('/')));
            return network.address().equals(written) ? "" : "has bits beyond its prefix; the network is " + network;
        } catch (IllegalArgumentException e) {
            return "is not a network as 192.0.2.0/24 or 2001:db8::/32";
        }
    }
}
