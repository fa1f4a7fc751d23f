package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/** The defaults that an API server fills in first on every write. */
final class Defaults {
    private static final int AFFINITY_SECONDS = 10_800;

    /** Fields for which an empty text or list, or 0, means the same as an absent field. The others must have a value when they are present. */
    private static final List<String> MAY_BE_EMPTY =
            List.of(("type clusterIP clusterIPs ipFamilies ports externalIPs externalName externalTrafficPolicy "
                            + "healthCheckNodePort sessionAffinity loadBalancerIP loadBalancerSourceRanges")
                    .split(" ", -1));

    private static final List<String> OF_PORT_MAY_BE_EMPTY = List.of("name", "protocol", "nodePort");

    private final Draft spec;

    private Defaults(Draft spec) {
        this.spec = spec;
    }

    static void fill(Draft object) {
        Draft spec = object.object("spec");
        new Defaults(spec).fill();
        object.put("spec", spec);
        status(object);
    }

    private void fill() {
        MAY_BE_EMPTY.forEach(spec::removeEmpty);
        when("type", ServiceFields.CLUSTER_IP);
        affinity();
        ports();
        ServiceFields fields = ServiceFields.of(spec);
        if (isExternallyAccessible(spec)) {
            when("externalTrafficPolicy", "Cluster");
        }
        if (!fields.isExternalName()) {
            when("internalTrafficPolicy", "Cluster");
        }
        if (fields.type().equals(ServiceFields.LOAD_BALANCER) && !spec.has("allocateLoadBalancerNodePorts")) {
            spec.put("allocateLoadBalancerNodePorts", true);
        }
    }

    private void when(String absent, String value) {
        if (!spec.has(absent)) {
            spec.put(absent, value);
        }
    }

    /** Whether packets from outside the cluster may reach it. */
    static boolean isExternallyAccessible(Draft spec) {
        ServiceFields fields = ServiceFields.of(spec);
        return fields.mayHaveNodePorts()
                || (fields.type().equals(ServiceFields.CLUSTER_IP)
                        && !spec.items("externalIPs").isEmpty());
    }

    private void affinity() {
        when("sessionAffinity", "None");
        switch (spec.text("sessionAffinity")) {
            case "None" -> spec.remove("sessionAffinityConfig");
            case "ClientIP" -> {
                Draft config = spec.object("sessionAffinityConfig");
                Draft client = config.object("clientIP");
                if (!client.has("timeoutSeconds")) {
                    client.put("timeoutSeconds", AFFINITY_SECONDS);
                    config.put("clientIP", client);
                    spec.put("sessionAffinityConfig", config);
                }
            }
            default -> {}
        }
    }

    private void ports() {
        List<Draft> ports = spec.objects("ports");
        for (Draft port : ports) {
            OF_PORT_MAY_BE_EMPTY.forEach(port::removeEmpty);
            port.removeEmpty("targetPort");
            if (!port.has("protocol")) {
                port.put("protocol", "TCP");
            }
            int number = port.number("port");
            if (!port.has("targetPort") && number > 0 && number <= 65_535) {
                port.put("targetPort", number);
            }
        }
        if (!ports.isEmpty()) {
            spec.putObjects("ports", ports);
        }
    }

    private static void status(Draft object) {
        Draft status = object.object("status");
        Draft balancer = status.object("loadBalancer");
        List<Draft> entries = new ArrayList<>();
        for (Tree item : balancer.items("ingress")) {
            if (item instanceof Tree.Mapping mapping) {
                Draft entry = new Draft(mapping);
                if (!entry.text("ip").isEmpty() && !entry.has("ipMode")) {
                    entry.put("ipMode", "VIP");
                }
                entries.add(entry);
            }
        }
        if (!entries.isEmpty()) {
            balancer.putObjects("ingress", entries);
            status.put("loadBalancer", balancer);
            object.put("status", status);
        }
    }
}
