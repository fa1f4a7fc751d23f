package io.dualstackd.node.report;

import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Whatever their order: that is kubelet's, which follows its own {@code --node-ip}. */
    public boolean inPodIps() {
        return !Set.copyOf(texts(podIps)).equals(Set.copyOf(canonical(storedPodIps)));
    }

    public boolean inHostIps() {
        return !hostIps.isEmpty() && !texts(hostIps).equals(canonical(storedHostIps));
    }

    private static List<String> texts(List<Ip> ips) {
        return ips.stream().map(Ip::toString).toList();
    }

    /** Another textual form of an address is not a difference. */
    private static List<String> canonical(List<String> texts) {
        return texts.stream().map(PodDifference::canonical).toList();
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
        Tree.Mapping status = Tree.object();
        if (inPodIps()) {
            status = status.with("podIP", podIps.getFirst()).with("podIPs", replaced(podIps));
        }
        if (inHostIps()) {
            status = status.with("hostIP", hostIps.getFirst()).with("hostIPs", replaced(hostIps));
        }
        return WriteRequest.patch(
                "/api/v1/namespaces/" + namespace + "/pods/" + name + "/status",
                Tree.object("metadata", Tree.object("uid", uid)).with("status", status));
    }

    private static List<Tree> replaced(List<Ip> ips) {
        return Stream.<Tree>concat(
                        Stream.of(Tree.object("$patch", "replace")),
                        ips.stream().map(ip -> Tree.object("ip", ip)))
                .toList();
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
