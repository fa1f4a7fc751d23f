package io.dualstackd.dataplane.packets;

/** Where IPVS mode does not do what iptables mode does; each has its reason in docs/adr/0020-ipvs.md. */
final class IpvsDifferences {
    private IpvsDifferences() {}

    /** What is expected of a flow of a scenario. */
    static String of(String scenario, Sender from, String what, String iptables, String nftables) {
        return switch (scenario) {
            // The ClusterIP is the node's own address, and what it sends from.
            case "flows, no detector" ->
                from == Sender.NODE && what.startsWith("ClusterIP") ? iptables.replaceAll("(\\w+)", "$1*") : iptables;
            // IPVS refuses by itself, whatever the client.
            case "no endpoints" -> nftables;
            case "node ports, primary, no endpoints" -> nftables;
            // Both policies are Local, so there is no list that would lead around one of them; and what the node itself
            // sends
            // meets IPVS, which refuses, before it meets a rule that drops.
            case "none here" -> from == Sender.NODE ? "refused" : "silence";
            // A virtual server belongs to the first Service that wants it.
            case "port of two Services" -> "refused";
            case "unknown ports" -> what.contains("port 80 on the node") ? iptables : "refused";
            case "unknown addresses" -> what.contains("wrong port") ? "refused" : iptables;
            default -> iptables;
        };
    }
}
