package io.dualstackd.pods;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The CNI configuration list of a lone node: pods are on a bridge and get one address of each network from {@code host-local}. What they
 * send beyond the node's own pods has the node's address.
 */
public final class CniList {
    /** The suffix that a container runtime looks for. */
    public static final String SUFFIX = ".conflist";

    /** The field by which the daemon knows a file of its own; plug-ins and runtimes ignore unknown fields. */
    private static final String MARK = "io.dualstackd.generated";

    private CniList() {}

    /** The text of the file, for networks that are known. */
    public static String text(PodCidrs cidrs) {
        List<List<Tree.Mapping>> ranges = cidrs.cidrs().stream()
                .map(network -> List.of(Tree.object("subnet", network)))
                .toList();
        List<Tree.Mapping> routes = cidrs.cidrs().stream()
                .map(network -> Tree.object("dst", network.family() == IpFamily.IPV4 ? "0.0.0.0/0" : "::/0"))
                .toList();
        Tree.Mapping bridge = Tree.object("type", "bridge")
                .with("bridge", "cni0")
                .with("isGateway", true)
                .with("hairpinMode", true)
                .with("ipMasq", true)
                .with(
                        "ipam",
                        Tree.object("type", "host-local").with("ranges", ranges).with("routes", routes));
        return JsonPrint.indented(Tree.object("cniVersion", "1.0.0")
                .with("name", "dualstackd")
                .with(MARK, true)
                .with("plugins", List.of(bridge)));
    }

    /** Whether the daemon wrote this text. */
    public static boolean isOurs(String text) {
        return JsonTree.read(text.getBytes(StandardCharsets.UTF_8))
                .filter(list -> list.entries().get(MARK) instanceof Tree.Scalar mark
                        && mark.text().equals("true"))
                .isPresent();
    }
}
