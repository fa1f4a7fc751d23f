package io.dualstackd.standalone.serviceapi;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Drops fields that have no meaning for the new type of a Service and that the same write does not change: they were defaulted or allocated
 * here. Fields that the write does change are rejected by validation.
 */
final class DroppedFields {
    private final Draft spec;
    private final Draft old;
    private final ServiceFields now;
    private final ServiceFields before;

    private DroppedFields(Draft spec, Draft old) {
        this.spec = spec;
        this.old = old;
        now = ServiceFields.of(spec);
        before = ServiceFields.of(old);
    }

    static void drop(Draft spec, Draft old) {
        DroppedFields fields = new DroppedFields(spec, old);
        fields.families();
        fields.ports();
        fields.balancer();
    }

    /** Drops the load balancer status of a Service that is not a load balancer. */
    static void dropStatus(Draft object) {
        if (!ServiceFields.of(object.object("spec")).type().equals(ServiceFields.LOAD_BALANCER)) {
            Draft status = object.object("status");
            if (status.has("loadBalancer")) {
                status.remove("loadBalancer");
                object.put("status", status);
            }
        }
    }

    private void families() {
        if (now.isExternalName() && !before.isExternalName()) {
            if (same("clusterIP") && same("clusterIPs")) {
                spec.remove("clusterIP");
                spec.remove("clusterIPs");
            }
            dropSame("ipFamilies");
            dropSame("ipFamilyPolicy");
        }
    }

    private void ports() {
        if (before.mayHaveNodePorts() && !now.mayHaveNodePorts()) {
            Set<Integer> had = numbers(before.ports());
            if (had.containsAll(numbers(now.ports()))) {
                List<Draft> ports = spec.objects("ports");
                ports.forEach(port -> port.remove("nodePort"));
                if (!ports.isEmpty()) {
                    spec.putObjects("ports", ports);
                }
            }
        }
        if (before.needsHealthPort() && !now.needsHealthPort()) {
            dropSame("healthCheckNodePort");
        }
    }

    private static Set<Integer> numbers(List<PortFields> ports) {
        Set<Integer> numbers = new HashSet<>();
        ports.forEach(port -> numbers.add(port.nodePort()));
        // 0 is not a node port.
        numbers.remove(0);
        return numbers;
    }

    private void balancer() {
        if (before.type().equals(ServiceFields.LOAD_BALANCER) && !now.type().equals(ServiceFields.LOAD_BALANCER)) {
            dropSame("allocateLoadBalancerNodePorts");
            dropSame("loadBalancerClass");
        }
        if (Defaults.isExternallyAccessible(old) && !Defaults.isExternallyAccessible(spec)) {
            dropSame("externalTrafficPolicy");
        }
    }

    private boolean same(String field) {
        return spec.get(field).equals(old.get(field));
    }

    private void dropSame(String field) {
        if (same(field)) {
            spec.remove(field);
        }
    }
}
