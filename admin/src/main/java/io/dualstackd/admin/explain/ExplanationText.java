package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.explain.Agreement;
import io.dualstackd.dataplane.explain.Evidence;
import io.dualstackd.dataplane.explain.Explanation;
import io.dualstackd.dataplane.explain.HostPath;
import io.dualstackd.dataplane.explain.KernelFindings;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;
import java.util.stream.Collectors;

/** An explanation as text for people. */
public final class ExplanationText {
    /** The maximum number of lines for one kind of item; the rest is counted. */
    private static final int MOST = 20;

    private static final String INDENT = " ".repeat(12);

    private final Explanation explanation;
    private final StringBuilder text = new StringBuilder();

    private ExplanationText(Explanation explanation) {
        this.explanation = explanation;
    }

    /** Returns lines, each ended by a newline. */
    public static String of(Explanation explanation) {
        ExplanationText lines = new ExplanationText(explanation);
        lines.packet();
        lines.fate();
        if (explanation.host().filter(HostPath::drops).isPresent()) {
            lines.line("", "but this host DROPS it on its way, see host below");
        }
        explanation.notes().forEach(note -> lines.line(note.about(), note.text()));
        lines.kernel();
        explanation.host().ifPresent(lines::host);
        return lines.text.toString();
    }

    private void packet() {
        Packet packet = explanation.packet();
        line(
                "packet",
                packet.protocol() + " " + packet.source() + " -> " + new IpPort(packet.destination(), packet.port())
                        + ", " + origin(packet.origin()));
    }

    private static String origin(Packet.Origin origin) {
        return switch (origin) {
            case Packet.Origin.ThisNode() -> "sent by this node itself";
            case Packet.Origin.Interface(String name)
            when name.isEmpty() -> "coming in through no interface in particular (--in NAME for a certain one)";
            case Packet.Origin.Interface(String name) -> "coming in through " + name;
        };
    }

    private void fate() {
        switch (explanation.fate()) {
            case PacketFate.Forwarded(var service, var reason, var hops) -> {
                line("service", service + ", by its " + reason.address());
                line("endpoints", reason.endpoints());
                line("source", reason.source());
                line("result", forwarded(hops.size()));
                limited(hops.stream().map(ExplanationText::hop).toList());
            }
            case PacketFate.Rejected(var service, String why) -> {
                line("service", service.toString());
                line("result", "refused (the client sees \"connection refused\"): " + why);
            }
            case PacketFate.Dropped(var service, String why) -> {
                service.ifPresent(name -> line("service", name.toString()));
                line("result", "dropped (the client waits): " + why);
            }
            case PacketFate.NotOurs() -> {
                line("service", "none has this address and port");
                line("result", "left as it is: routes, sockets and firewall of the node decide");
            }
        }
    }

    private String forwarded(int hops) {
        if (hops == 1) {
            return "forwarded to";
        }
        return explanation
                .pinned()
                .map(to -> "forwarded to " + to + " by affinity, though one of " + hops)
                .orElse("forwarded to one of " + hops + ", each as likely as the others");
    }

    private static String hop(Hop hop) {
        return hop.to().address()
                + (hop.to().local() ? "  on this node" : "")
                + (hop.masqueraded() ? "  masqueraded" : "");
    }

    private void kernel() {
        String mode = explanation.mode().toString();
        switch (explanation.agreement()) {
            case Agreement.Agrees() -> line("kernel", mode + ", does the same, by");
            case Agreement.Differs(List<String> how) -> {
                line("kernel", mode + ", DIFFERS:");
                limited(how);
                line("", "If this lasts for more than a second, 'dualstackd status' says what is wrong. Met were");
            }
            case Agreement.Unknown(String why) -> line("kernel", mode + ", was not asked: " + why);
        }
        if (explanation.kernel() instanceof KernelFindings.Given given) {
            List<String> met =
                    given.met().stream().map(ExplanationText::evidence).toList();
            limited(met.isEmpty() ? List.of("no rule of ours that names it") : met);
        }
    }

    /** Appends what other programs set up on the host; for each path that a packet may take, what it meets. */
    private void host(HostPath path) {
        if (!path.legs().isEmpty()) {
            line(
                    "host",
                    path.drops()
                            ? "DROPS it"
                            : path.mayDrop()
                                    ? "may drop it: rules that are not ours were not evaluated"
                                    : "lets it pass, as far as was checked");
        }
        for (HostPath.Leg leg : path.legs()) {
            if (path.legs().size() > 1) {
                line("", "  to " + leg.to().stream().map(IpPort::toString).collect(Collectors.joining(", ")));
            }
            limited(leg.findings().stream().map(HostPath.Finding::toString).toList());
        }
        line("not seen", String.join("; ", path.notSeen()));
    }

    private static String evidence(Evidence evidence) {
        return evidence.place() + ": " + evidence.object();
    }

    private void limited(List<String> lines) {
        lines.stream().limit(MOST).forEach(line -> line("", "  " + line));
        if (lines.size() > MOST) {
            line("", "  … and " + (lines.size() - MOST) + " more (-o json shows all)");
        }
    }

    private void line(String label, String said) {
        text.append((label + INDENT).substring(0, INDENT.length())).append(said).append('\n');
    }
}
