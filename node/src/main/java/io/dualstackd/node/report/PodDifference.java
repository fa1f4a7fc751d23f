package io.dualstackd.node.report;

import io.dualstackd.kubeapi.client.JsonBody;
import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A pod whose status has wrong addresses.
 *
 * @param podIps addresses assigned by its runtime, as kubelet would write them
 * @param storedPodIps addresses in its status
 * @param hostIps the node's addresses
 * @param storedHostIps node addresses in its status
 */
public record PodDifference(
        String namespace,
        String name,
        String uid,
        List<Ip> podIps,
        List<String> storedPodIps,
        List<Ip> hostIps,
        List<String> storedHostIps) {
    public PodDifference {
        podIps = List.copyOf(podIps);
        storedPodIps = List.copyOf(storedPodIps);
        hostIps = List.copyOf(hostIps);
        storedHostIps = List.copyOf(storedHostIps);
    }

    public boolean inPodIps() {
        return !same(podIps, storedPodIps);
    }

    public boolean inHostIps() {
        return !hostIps.isEmpty() && !same(hostIps, storedHostIps);
    }

    /** Compares texts as addresses: another textual form is not a difference. */
    static boolean same(List<Ip> ips, List<String> texts) {
        return ips.stream()
                .map(Ip::toString)
                .toList()
                .equals(texts.stream().map(PodDifference::canonical).toList());
    }

    private static String canonical(String text) {
        try {
            return Ip.parseLenient(text).toString();
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** Returns the request that corrects the status; refused by the server if the pod was replaced by another one of its name. */
    public WriteRequest writeRequest() {
        Map<String, Object> status = JsonBody.object();
        if (inPodIps()) {
            status.put("podIP", podIps.getFirst().toString());
            status.put("podIPs", replaced(podIps));
        }
        if (inHostIps()) {
            status.put("hostIP", hostIps.getFirst().toString());
            status.put("hostIPs", replaced(hostIps));
        }
        return WriteRequest.patch(
                "/api/v1/namespaces/" + namespace + "/pods/" + name + "/status",
                JsonBody.object("metadata", JsonBody.object("uid", uid), "status", status));
    }

    private static List<Object> replaced(List<Ip> ips) {
        List<Object> entries = new ArrayList<>();
        entries.add(JsonBody.object("$patch", "replace"));
        ips.forEach(ip -> entries.add(JsonBody.object("ip", ip.toString())));
        return entries;
    }

    /** {@code podIPs should be 10.0.0.1,fd00::1 and are 10.0.0.1}. */
    @Override
    public String toString() {
        String pod = inPodIps() ? "podIPs should be " + joined(podIps) + " and are " + joined(storedPodIps) : "";
        String host = inHostIps() ? "hostIPs should be " + joined(hostIps) + " and are " + joined(storedHostIps) : "";
        return pod + (pod.isEmpty() || host.isEmpty() ? "" : "; ") + host;
    }

    private static String joined(List<?> all) {
        return all.isEmpty() ? "none" : all.stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
