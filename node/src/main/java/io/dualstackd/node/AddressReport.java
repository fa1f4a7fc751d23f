package io.dualstackd.node;

import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeAddresses.Chosen;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The output of {@code dualstackd addresses}.
 *
 * @param addresses without entries when there is an error
 * @param error the reason why there is no address
 * @param explain include the addresses that were passed over
 */
public record AddressReport(NodeIps wanted, NodeAddresses addresses, Optional<String> error, boolean explain) {
    /** Returns a table for people; the error is not in it. */
    public String table() {
        String text = "";
        if (error.isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("ADDRESS", "TYPE", "NODE IP", "WHY"));
            for (Chosen entry : addresses.chosen()) {
                rows.add(List.of(
                        entry.address().text(),
                        entry.address().type().toString(),
                        role(entry.address()),
                        entry.reason()));
            }
            text = TextTable.print(rows);
        }
        return explain ? text + (text.isEmpty() ? "" : "\n") + explanation() : text;
    }

    private String explanation() {
        if (addresses.passedOver().isEmpty()) {
            return "Nothing else was found.\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PASSED OVER", "WHY"));
        addresses.passedOver().forEach(each -> rows.add(List.of(each.candidate(), each.reason())));
        return TextTable.print(rows);
    }

    private String role(NodeAddress address) {
        return switch (address.ip().map(addresses.nodeIps()::indexOf).orElse(-1)) {
            case 0 -> "primary";
            case 1 -> "secondary";
            default -> "";
        };
    }

    /** Returns a value for programs. Keys are only ever added. */
    public Tree tree() {
        Tree.Mapping report = Tree.object("nodeIPs", wanted)
                .with("primary", addresses.primary())
                .with("secondary", addresses.secondary())
                .with("addresses", addresses.chosen().stream().map(this::shown).toList())
                .with("warnings", addresses.warnings())
                .with("error", error);
        return explain
                ? report.with(
                        "passedOver",
                        addresses.passedOver().stream()
                                .map(AddressReport::shown)
                                .toList())
                : report;
    }

    private Tree shown(Chosen entry) {
        Tree.Mapping fields = Tree.object("type", entry.address().type())
                .with("address", entry.address().text())
                .with("family", entry.address().ip().map(Ip::family));
        String role = role(entry.address());
        return (role.isEmpty() ? fields : fields.with("nodeIP", role)).with("reason", entry.reason());
    }

    private static Tree shown(PassedOver each) {
        return Tree.object("candidate", each.candidate()).with("reason", each.reason());
    }
}
