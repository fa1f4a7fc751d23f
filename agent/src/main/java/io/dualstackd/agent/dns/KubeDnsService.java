package io.dualstackd.agent.dns;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.standalone.manifest.BuiltInService;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The Service by which pods reach the DNS server: {@code kube-system/kube-dns}, as in every cluster. */
public final class KubeDnsService {
    public static final ServiceKey KEY = new ServiceKey("kube-system", "kube-dns");

    /** The origin of the Service, in problems. */
    public static final String ORIGIN = "--dns-listen";

    /** The suffix of the names of its slices in the store: no object of a file can have this in its name. */
    private static final String MARK = ":dns";

    private static final int PORT = 53;
    private static final String UDP_PORT = "dns";
    private static final String TCP_PORT = "dns-tcp";

    private static final EndpointSlice.Conditions READY =
            EndpointSlice.Conditions.of(Optional.of(true), Optional.of(true), Optional.of(false));

    private KubeDnsService() {}

    /**
     * Returns the Service.
     *
     * @param clusterIps one, or two of different families, the primary one first
     * @param dialect as of the objects in files
     */
    public static ApiObject service(List<Ip> clusterIps, Dialect dialect) {
        String text = """
                apiVersion: v1
                kind: Service
                metadata:
                  name: %s
                  namespace: %s
                  labels: {k8s-app: kube-dns, kubernetes.io/cluster-service: "true", %s: %s}
                spec:
                  type: ClusterIP
                  clusterIP: "%s"
                  clusterIPs: [%s]
                  ipFamilies: [%s]
                  ipFamilyPolicy: %s
                  ports:
                  - {name: %s, port: %d, protocol: UDP}
                  - {name: %s, port: %d, protocol: TCP}
                """.formatted(
                        KEY.name(),
                        KEY.namespace(),
                        BuiltInService.MANAGER_LABEL,
                        BuiltInService.MANAGER,
                        clusterIps.getFirst(),
                        clusterIps.stream().map(ip -> "\"" + ip + "\"").collect(Collectors.joining(", ")),
                        clusterIps.stream().map(ip -> ip.family().toString()).collect(Collectors.joining(", ")),
                        clusterIps.size() > 1 ? "RequireDualStack" : "SingleStack",
                        UDP_PORT,
                        PORT,
                        TCP_PORT,
                        PORT);
        return Manifests.decode(ORIGIN, text, dialect).objects().getFirst().object();
    }

    /**
     * Returns its EndpointSlices: one for each family and port.
     *
     * @param listening where questions are received; loopback and link-local addresses are no endpoints
     * @param node name of this node
     */
    public static Map<ObjectKey, EndpointSlice> slices(List<IpPort> listening, String node) {
        Map<ObjectKey, List<IpPort>> byName = new TreeMap<>();
        for (IpPort address : listening) {
            if (!address.ip().isLoopback() && !address.ip().isLinkLocal()) {
                byName.computeIfAbsent(key(address), key -> new ArrayList<>()).add(address);
            }
        }
        Map<ObjectKey, EndpointSlice> slices = new TreeMap<>();
        byName.forEach((key, addresses) -> slices.put(key, slice(key, addresses, node)));
        return slices;
    }

    private static ObjectKey key(IpPort address) {
        return new ObjectKey(
                ObjectKey.Kind.ENDPOINT_SLICE,
                KEY.namespace(),
                KEY.name() + "-" + address.ip().family().toString().toLowerCase(Locale.ROOT) + "-" + address.port()
                        + MARK);
    }

    private static EndpointSlice slice(ObjectKey key, List<IpPort> addresses, String node) {
        OptionalInt port = OptionalInt.of(addresses.getFirst().port());
        return new EndpointSlice(
                key.namespace(),
                key.name(),
                Optional.of(KEY.name()),
                false,
                addresses.getFirst().ip().family() == IpFamily.IPV4
                        ? EndpointSlice.AddressType.IPV4
                        : EndpointSlice.AddressType.IPV6,
                List.of(
                        new EndpointSlice.Port(Optional.of(UDP_PORT), Proto.UDP, port),
                        new EndpointSlice.Port(Optional.of(TCP_PORT), Proto.TCP, port)),
                addresses.stream()
                        .map(address -> new EndpointSlice.Endpoint(address.ip(), READY, node, Set.of(), Set.of()))
                        .toList(),
                Optional.empty());
    }
}
