package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.WholeNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Rules for a Service that is written which are not checked when a stored one is read: the other rules are in the decoder, which reads
 * every admitted Service, too. The family fields are checked by {@link FamilyRules}.
 */
final class ServiceValidation {
    private static final int KUBELET_PORT = 10_250;
    private static final Set<String> DISTRIBUTIONS = Set.of("PreferClose", "PreferSameZone", "PreferSameNode");

    /** Fields that must not be empty when they are present. */
    private static final List<String> NEVER_EMPTY =
            List.of("ipFamilyPolicy", "internalTrafficPolicy", "trafficDistribution");

    private final Draft spec;
    private final ServiceFields fields;
    private final Violations violations;

    private ServiceValidation(Draft spec, Violations violations) {
        this.spec = spec;
        this.violations = violations;
        fields = ServiceFields.of(spec);
    }

    static void check(Draft object, Violations violations) {
        Metadata.check(object, violations);
        ServiceValidation validation = new ServiceValidation(object.object("spec"), violations);
        validation.names();
        validation.emptyWords();
        validation.ports();
        validation.loadBalancer();
        validation.distribution();
    }

    /** Checks fields that may not change, other than the family fields. */
    static void checkChange(Draft spec, Draft old, Violations violations) {
        ServiceFields now = ServiceFields.of(spec);
        ServiceFields before = ServiceFields.of(old);
        boolean balancers =
                now.type().equals(ServiceFields.LOAD_BALANCER) && before.type().equals(ServiceFields.LOAD_BALANCER);
        if (balancers && !spec.get("loadBalancerClass").equals(old.get("loadBalancerClass"))) {
            violations.reject("spec.loadBalancerClass", spec.text("loadBalancerClass"), "may not change once set");
        }
        boolean kept = now.needsHealthPort() && before.needsHealthPort() && before.healthPort() != 0;
        if (kept && now.healthPort() != before.healthPort()) {
            violations.reject(
                    "spec.healthCheckNodePort",
                    Integer.toString(now.healthPort()),
                    "may not change while it is needed; it is " + before.healthPort());
        }
    }

    private void names() {
        Metadata.labels(spec.object("selector"), "spec.selector", violations);
        if (fields.isExternalName()) {
            String name = spec.text("externalName");
            if (name.isEmpty()) {
                violations.reject("spec.externalName", "", "required for type ExternalName");
            } else if (!TextFormats.isDns(name.endsWith(".") ? name.substring(0, name.length() - 1) : name)) {
                violations.reject("spec.externalName", name, TextFormats.DNS_RULE + "; a \".\" at its end is allowed");
            }
        }
    }

    private void emptyWords() {
        for (String field : NEVER_EMPTY) {
            if (spec.has(field) && spec.text(field).isEmpty()) {
                violations.reject("spec." + field, "", "must be left out or not empty");
            }
        }
    }

    private void ports() {
        List<Draft> ports = spec.objects("ports");
        if (ports.isEmpty()
                && !ServiceFields.isTypeUnknown(spec)
                && !fields.isExternalName()
                && !fields.families().isHeadless()) {
            violations.reject("spec.ports", "", "at least one port is required");
        }
        for (int i = 0; i < ports.size(); i++) {
            String path = "spec.ports[" + i + "]";
            Draft port = ports.get(i);
            target(port.get("targetPort"), path + ".targetPort");
            if (port.has("appProtocol") && !TextFormats.isQualified(port.text("appProtocol"))) {
                violations.reject(path + ".appProtocol", port.text("appProtocol"), TextFormats.QUALIFIED_RULE);
            }
            if (fields.type().equals(ServiceFields.LOAD_BALANCER) && port.number("port") == KUBELET_PORT) {
                violations.reject(
                        path + ".port",
                        Integer.toString(KUBELET_PORT),
                        "may not be offered to the outside: it is the kubelet's port");
            }
        }
    }

    private void target(Tree target, String path) {
        switch (target) {
            case Tree.Scalar scalar
            when scalar.type() == Tree.Type.TEXT -> {
                if (!TextFormats.isPortName(scalar.text())) {
                    violations.reject(path, scalar.text(), TextFormats.PORT_NAME_RULE);
                }
            }
            case Tree.Scalar scalar
            when scalar.type() == Tree.Type.WHOLE_NUMBER -> {
                OptionalInt number = WholeNumbers.of(scalar);
                if (number.isEmpty() || number.getAsInt() < 1 || number.getAsInt() > 65_535) {
                    violations.reject(path, scalar.text(), "must be 1 to 65535");
                }
            }
            // Absent: the default is a copy of the port, and a missing port is reported there.
            case Tree ignored -> {}
        }
    }

    private void loadBalancer() {
        boolean balancer = fields.type().equals(ServiceFields.LOAD_BALANCER) || ServiceFields.isTypeUnknown(spec);
        List<String> only = new ArrayList<>();
        if (spec.has("allocateLoadBalancerNodePorts") && !balancer) {
            only.add("allocateLoadBalancerNodePorts");
        }
        if (spec.has("loadBalancerClass")) {
            String name = spec.text("loadBalancerClass");
            if (!balancer) {
                only.add("loadBalancerClass");
            } else if (!TextFormats.isQualified(name)) {
                violations.reject("spec.loadBalancerClass", name, TextFormats.QUALIFIED_RULE);
            }
        }
        for (String field : only) {
            String value = spec.get(field) instanceof Tree.Scalar scalar ? scalar.text() : "";
            violations.reject("spec." + field, value, "may only be set for type LoadBalancer");
        }
    }

    private void distribution() {
        String word = spec.text("trafficDistribution");
        if (!word.isEmpty() && !DISTRIBUTIONS.contains(word)) {
            violations.reject(
                    "spec.trafficDistribution", word, "must be one of PreferClose, PreferSameZone, PreferSameNode");
        }
    }
}
