package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a Service that decide which numbers it gets.
 *
 * @param type as {@code ClusterIP}; the default when none is named
 * @param hasSelector whether {@code spec.selector} has any label
 * @param ports {@code spec.ports}, in order
 * @param allocatesNodePorts the value of {@code allocateLoadBalancerNodePorts}; true when it is unset
 * @param localOnly whether {@code externalTrafficPolicy} is {@code Local}
 * @param healthPort {@code healthCheckNodePort}, 0 when there is none
 */
public record ServiceFields(
        String type,
        boolean hasSelector,
        FamilyFields families,
        List<PortFields> ports,
        boolean allocatesNodePorts,
        boolean localOnly,
        int healthPort) {
    static final String CLUSTER_IP = "ClusterIP";
    static final String NODE_PORT = "NodePort";
    static final String LOAD_BALANCER = "LoadBalancer";
    static final String EXTERNAL_NAME = "ExternalName";
    private static final Set<String> TYPES = Set.of(CLUSTER_IP, NODE_PORT, LOAD_BALANCER, EXTERNAL_NAME);

    public ServiceFields {
        ports = List.copyOf(ports);
    }

    /** Reads any tree: fields that are missing or of the wrong kind are left out. */
    public static ServiceFields of(Tree.Mapping object) {
        return of(new Draft(object).object("spec"));
    }

    static ServiceFields of(Draft spec) {
        String type = spec.text("type");
        return new ServiceFields(
                type.isEmpty() ? CLUSTER_IP : type,
                !spec.object("selector").isEmpty(),
                families(spec),
                ports(spec),
                spec.bool("allocateLoadBalancerNodePorts").orElse(true),
                spec.text("externalTrafficPolicy").equals("Local"),
                spec.number("healthCheckNodePort"));
    }

    /** True when a type is written that there is not: what depends on the type cannot be checked. */
    static boolean isTypeUnknown(Draft spec) {
        return spec.has("type") && !TYPES.contains(spec.text("type"));
    }

    /** True unless the Service is an ExternalName or headless. */
    public boolean needsClusterIps() {
        return !isExternalName() && !families.isHeadless();
    }

    /** True when ports without a node port get one. */
    public boolean needsNodePorts() {
        return type.equals(NODE_PORT) || (type.equals(LOAD_BALANCER) && allocatesNodePorts);
    }

    /** True when ports may name a node port, which is then allocated to them. */
    public boolean mayHaveNodePorts() {
        return type.equals(NODE_PORT) || type.equals(LOAD_BALANCER);
    }

    /** True when a {@code healthCheckNodePort} is allocated if none is named. */
    public boolean needsHealthPort() {
        return type.equals(LOAD_BALANCER) && localOnly;
    }

    public boolean isExternalName() {
        return type.equals(EXTERNAL_NAME);
    }

    FamilyRules.Kind kind() {
        return new FamilyRules.Kind(type, hasSelector);
    }

    private static FamilyFields families(Draft spec) {
        List<IpFamily> families = new ArrayList<>();
        for (String word : spec.texts("ipFamilies")) {
            family(word).ifPresent(families::add);
        }
        return new FamilyFields(
                spec.text("clusterIP"), spec.texts("clusterIPs"), families, policy(spec.text("ipFamilyPolicy")));
    }

    static Optional<IpFamily> family(String word) {
        for (IpFamily family : IpFamily.values()) {
            if (family.toString().equals(word)) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }

    static Optional<IpFamilyPolicy> policy(String word) {
        for (IpFamilyPolicy policy : IpFamilyPolicy.values()) {
            if (policy.toString().equals(word)) {
                return Optional.of(policy);
            }
        }
        return Optional.empty();
    }

    private static List<PortFields> ports(Draft spec) {
        List<PortFields> ports = new ArrayList<>();
        for (Draft port : spec.objects("ports")) {
            ports.add(new PortFields(
                    port.text("name"), protocol(port.text("protocol")), port.number("port"), port.number("nodePort")));
        }
        return ports;
    }

    private static Proto protocol(String word) {
        return switch (word) {
            case "UDP" -> Proto.UDP;
            case "SCTP" -> Proto.SCTP;
            default -> Proto.TCP;
        };
    }
}
