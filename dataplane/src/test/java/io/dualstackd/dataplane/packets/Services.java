package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.model.ServiceViewBuilder;
import java.util.Locale;

/** Services of the laboratory, each known by a number that runs through all its addresses. */
final class Services {
    private Services() {}

    /** A ClusterIP Service. */
    static ServiceViewBuilder clusterIp(LabMap map, String name, int number) {
        return ServiceViewBuilder.service(
                name.toLowerCase(Locale.ROOT), map.clusterIp(number).toString());
    }

    /** A Service with every kind of destination: node port {@code 30000 + number}, one external IP, one load-balancer address. */
    static ServiceViewBuilder everything(LabMap map, String name, int number) {
        return clusterIp(map, name, number)
                .nodePort(30000 + number)
                .externalIps(map.externalIp(number).toString())
                .loadBalancerIps(map.vip(number).toString());
    }

    /** Endpoints in shorthand, {@code "L1 R1, L2 T"}: the pod's name instead of the address and of {@code l}. */
    static ServiceViewBuilder on(LabMap map, ServiceViewBuilder service, String pods) {
        return on(map, service, pods, LabMap.TARGET_PORT);
    }

    static ServiceViewBuilder on(LabMap map, ServiceViewBuilder service, String pods, int port) {
        StringBuilder text = new StringBuilder();
        for (String one : pods.isBlank() ? new String[0] : pods.split(",", -1)) {
            String[] words = one.strip().split(" ", 2);
            int number = Integer.parseInt(words[0].substring(1));
            boolean local = words[0].startsWith("L");
            text.append(text.isEmpty() ? "" : ",")
                    .append(local ? map.localPod(number) : map.remotePod(number))
                    .append(local ? " l " : " ")
                    .append(words.length > 1 ? words[1] : "");
        }
        return service.endpoints(text.toString(), port);
    }
}
