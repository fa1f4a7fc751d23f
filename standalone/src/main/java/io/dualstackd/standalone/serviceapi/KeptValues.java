package io.dualstackd.standalone.serviceapi;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps the numbers of a Service when a text that names none is written again. */
final class KeptValues {
    private KeptValues() {}

    static void fill(Draft spec, Draft old) {
        ServiceFields now = ServiceFields.of(spec);
        ServiceFields before = ServiceFields.of(old);
        if (!now.isExternalName() && !before.isExternalName()) {
            FamilyFields kept = ClusterIpFields.kept(now.families(), before.families());
            ServiceTree.putClusterIps(spec, kept.clusterIp(), kept.clusterIps());
        }
        if (now.needsNodePorts() && before.needsNodePorts()) {
            nodePorts(spec, now.ports(), before.ports());
        }
        if (now.needsHealthPort() && before.needsHealthPort() && now.healthPort() == 0) {
            ServiceTree.putNumber(spec, "healthCheckNodePort", before.healthPort());
        }
    }

    /** Ports are identified by their names; all their other fields may have changed. */
    private static void nodePorts(Draft spec, List<PortFields> now, List<PortFields> before) {
        Set<Integer> named = new HashSet<>();
        now.forEach(port -> named.add(port.nodePort()));
        Map<String, Integer> ofName = new HashMap<>();
        before.forEach(port -> ofName.put(port.name(), port.nodePort()));
        List<Draft> ports = spec.objects("ports");
        for (int i = 0; i < ports.size(); i++) {
            int kept = ofName.getOrDefault(now.get(i).name(), 0);
            if (now.get(i).nodePort() == 0 && !named.contains(kept)) {
                ServiceTree.putNumber(ports.get(i), "nodePort", kept);
            }
        }
        if (!ports.isEmpty()) {
            spec.putObjects("ports", ports);
        }
    }
}
