package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code v1/Service}; {@link ServiceBuilder} makes the record. */
public final class RawService extends RawObject<Service> {
    /** An entry of {@code status.loadBalancer.ingress}. */
    record Ingress(String ip, String mode) {}

    String type = "";
    String clusterIp = "";
    List<String> clusterIps = List.of();
    List<String> ipFamilies = List.of();
    List<RawServicePort> ports = List.of();
    Map<String, String> selector = Map.of();
    List<String> externalIps = List.of();
    List<String> sourceRanges = List.of();
    List<Ingress> ingress = List.of();
    String affinity = "";
    int affinitySeconds;
    String externalPolicy = "";
    String internalPolicy = "";
    int healthCheckNodePort;
    boolean publishNotReady;

    @Override
    public void proto(ProtoReader in) throws IOException {
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.OBJECT_METADATA -> meta.proto(in);
                case ProtoTag.SERVICE_SPEC -> spec(in);
                case ProtoTag.SERVICE_STATUS -> status(in);
                default -> in.skip();
            }
        }
    }

    private void spec(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.SERVICE_SPEC_PORTS -> addPort(RawServicePort.proto(in));
                case ProtoTag.SERVICE_SPEC_SELECTOR -> selector(in);
                case ProtoTag.SERVICE_SPEC_CLUSTER_IP -> clusterIp = in.text();
                case ProtoTag.SERVICE_SPEC_TYPE -> type = in.name();
                case ProtoTag.SERVICE_SPEC_EXTERNAL_IPS -> externalIps = Texts.plus(externalIps, in.text());
                case ProtoTag.SERVICE_SPEC_SESSION_AFFINITY -> affinity = in.name();
                case ProtoTag.SERVICE_SPEC_LOAD_BALANCER_SOURCE_RANGES ->
                    sourceRanges = Texts.plus(sourceRanges, in.text());
                case ProtoTag.SERVICE_SPEC_EXTERNAL_TRAFFIC_POLICY -> externalPolicy = in.name();
                case ProtoTag.SERVICE_SPEC_HEALTH_CHECK_NODE_PORT -> healthCheckNodePort = in.number();
                case ProtoTag.SERVICE_SPEC_PUBLISH_NOT_READY_ADDRESSES -> publishNotReady = in.bool();
                case ProtoTag.SERVICE_SPEC_SESSION_AFFINITY_CONFIG -> affinityConfig(in);
                case ProtoTag.SERVICE_SPEC_CLUSTER_IPS -> clusterIps = Texts.plus(clusterIps, in.text());
                case ProtoTag.SERVICE_SPEC_IP_FAMILIES -> ipFamilies = Texts.plus(ipFamilies, in.name());
                case ProtoTag.SERVICE_SPEC_INTERNAL_TRAFFIC_POLICY -> internalPolicy = in.name();
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void addPort(RawServicePort port) {
        if (ports.isEmpty()) {
            ports = new ArrayList<>(2);
        }
        ports.add(port);
    }

    private void selector(ProtoReader in) throws IOException {
        int outer = in.enter();
        String key = "";
        String value = "";
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.ENTRY_KEY -> key = in.name();
                case ProtoTag.ENTRY_VALUE -> value = in.name();
                default -> in.skip();
            }
        }
        in.leave(outer);
        select(key, value);
    }

    private void select(String key, String value) {
        if (selector.isEmpty()) {
            selector = new HashMap<>(4);
        }
        selector.put(key, value);
    }

    private void affinityConfig(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            if (in.tag() == ProtoTag.SESSION_AFFINITY_CONFIG_CLIENT_IP) {
                int config = in.enter();
                while (in.next()) {
                    if (in.tag() == ProtoTag.CLIENT_IP_CONFIG_TIMEOUT_SECONDS) {
                        affinitySeconds = in.number();
                    } else {
                        in.skip();
                    }
                }
                in.leave(config);
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    private void status(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            if (in.tag() == ProtoTag.SERVICE_STATUS_LOAD_BALANCER) {
                int balancer = in.enter();
                while (in.next()) {
                    if (in.tag() == ProtoTag.LOAD_BALANCER_STATUS_INGRESS) {
                        addIngress(ingress(in));
                    } else {
                        in.skip();
                    }
                }
                in.leave(balancer);
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    private static Ingress ingress(ProtoReader in) throws IOException {
        int outer = in.enter();
        String ip = "";
        String mode = "";
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.LOAD_BALANCER_INGRESS_IP -> ip = in.text();
                case ProtoTag.LOAD_BALANCER_INGRESS_IP_MODE -> mode = in.name();
                default -> in.skip();
            }
        }
        in.leave(outer);
        return new Ingress(ip, mode);
    }

    private void addIngress(Ingress entry) {
        if (ingress.isEmpty()) {
            ingress = new ArrayList<>(2);
        }
        ingress.add(entry);
    }

    @Override
    public void json(Field object) {
        object.object("spec").ifPresent(this::spec);
        object.object("status")
                .flatMap(status -> status.object("loadBalancer"))
                .ifPresent(balancer -> balancer.objects("ingress")
                        .forEach(entry ->
                                addIngress(new Ingress(entry.textOrEmpty("ip"), entry.textOrEmpty("ipMode")))));
    }

    private void spec(Field spec) {
        type = spec.textOrEmpty("type");
        clusterIp = spec.textOrEmpty("clusterIP");
        clusterIps = Texts.of(spec, "clusterIPs");
        ipFamilies = Texts.of(spec, "ipFamilies");
        externalIps = Texts.of(spec, "externalIPs");
        sourceRanges = Texts.of(spec, "loadBalancerSourceRanges");
        affinity = spec.textOrEmpty("sessionAffinity");
        externalPolicy = spec.textOrEmpty("externalTrafficPolicy");
        internalPolicy = spec.textOrEmpty("internalTrafficPolicy");
        healthCheckNodePort = Texts.number(spec, "healthCheckNodePort");
        publishNotReady = spec.bool("publishNotReadyAddresses").orElse(false);
        spec.object("sessionAffinityConfig")
                .flatMap(config -> config.object("clientIP"))
                .ifPresent(client -> affinitySeconds = Texts.number(client, "timeoutSeconds"));
        spec.objects("ports").forEach(port -> addPort(RawServicePort.json(port)));
        spec.object("selector").ifPresent(labels -> {
            if (labels.tree() instanceof Tree.Mapping mapping) {
                mapping.entries()
                        .keySet()
                        .forEach(key ->
                                select(key.intern(), labels.textOrEmpty(key).intern()));
            }
        });
    }

    @Override
    public Service build(IgnoredValues ignoredValues) {
        return new ServiceBuilder(this, ignoredValues).make();
    }
}
