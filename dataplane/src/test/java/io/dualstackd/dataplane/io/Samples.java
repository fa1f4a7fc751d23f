package io.dualstackd.dataplane.io;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.RuleBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Services and nodes that tests of syncers start from. */
public final class Samples {
    private Samples() {}

    public static NodeView node(IpFamily family) {
        boolean v4 = family == IpFamily.IPV4;
        return new NodeView(
                family,
                "node-1",
                "",
                Optional.of(Ip.parse(v4 ? "192.0.2.10" : "2001:db8::10")),
                List.of(Ip.parse(v4 ? "192.0.2.10" : "2001:db8::10")),
                new LocalDetector.SourceIn(IpPrefix.parse(v4 ? "10.244.0.0/16" : "fd00:10:244::/56")),
                NodePortAddresses.ALL,
                false,
                14,
                false,
                true,
                false,
                List.of());
    }

    /** Service number {@code n} with a ClusterIP, a node port and {@code endpoints} ready remote endpoints. */
    public static ServiceView service(IpFamily family, int n, int endpoints) {
        List<Endpoint> list = new ArrayList<>();
        for (int i = 0; i < endpoints; i++) {
            list.add(endpoint(podIp(family, n, i), 8080));
        }
        return service(family, n, list, Affinity.NONE);
    }

    public static ServiceView service(IpFamily family, int n, List<Endpoint> endpoints, Affinity affinity) {
        ServiceKey key = new ServiceKey("default", "svc-" + n);
        ServicePort port = new ServicePort(
                new ServicePortName(key, "http", Proto.TCP),
                clusterIp(family, n),
                80,
                n < 2700 ? 30000 + n : 0,
                List.of(),
                List.of(),
                List.of(),
                affinity,
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                0);
        return new ServiceView(key, family, List.of(new PortView(port, endpoints)));
    }

    /** Another Service that wants the same ClusterIP and ports. */
    public static ServiceView claimant(ServiceView service) {
        ServiceKey key = new ServiceKey("default", "another");
        PortView port = service.ports().getFirst();
        ServicePort of = port.port();
        ServicePort its = new ServicePort(
                new ServicePortName(key, "http", of.name().protocol()),
                of.clusterIp(),
                of.port(),
                of.nodePort(),
                of.externalIps(),
                of.loadBalancerIps(),
                of.sourceRanges(),
                of.affinity(),
                of.internalPolicy(),
                of.externalPolicy(),
                of.healthCheckNodePort());
        return new ServiceView(key, service.family(), List.of(new PortView(its, port.endpoints())));
    }

    /** The first {@code count} Services, as changes, with three endpoints each. */
    static Map<ServiceKey, Optional<ServiceView>> services(IpFamily family, int count) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < count; n++) {
            ServiceView view = service(family, n, 3);
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    public static Endpoint endpoint(Ip ip, int port) {
        return new Endpoint(new IpPort(ip, port), true, true, false, false, Set.of(), Set.of());
    }

    public static Ip clusterIp(IpFamily family, int n) {
        return family == IpFamily.IPV4 ? new Ip.V4(0x0a600000 + n + 1) : new Ip.V6(0xfd00_0010_0096_0000L, n + 1);
    }

    public static Ip podIp(IpFamily family, int service, int index) {
        int number = service * 256 + index + 1;
        return family == IpFamily.IPV4 ? new Ip.V4(0x0b000000 + number) : new Ip.V6(0xfd00_0010_0244_0000L, number);
    }

    /** The iptables layout with fingerprints over the rule as text: enough where no real kernel reads it back. */
    public static IptablesLayout layoutByText() {
        return new IptablesLayout(Samples::imageByText, chain -> chain.name().startsWith("KUBE-"));
    }

    public static RuleImage imageByText(Rule rule) {
        return new RuleImage.Expressions(rule, printOfText(rule), RuleBody.EMPTY);
    }

    private static Fingerprint printOfText(Rule rule) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(rule.toString().getBytes(StandardCharsets.UTF_8));
            ByteBuffer bits = ByteBuffer.wrap(hash);
            return new Fingerprint(bits.getLong(), bits.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
