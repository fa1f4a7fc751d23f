package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.explain.Agreement;
import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.explain.KernelPath;
import io.dualstackd.netlink.ip.IpPort;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An explanation as text for people. */
public final class ExplanationText {
    /** The maximum number of lines for one kind of item; the rest is counted. */
    private static final int MOST = 20;

    /** The maximum number of ways through the kernel's rules; the rest is counted. */
    private static final int PATHS = 10;

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
        } else if (explanation.host().filter(HostPath::bypasses).isPresent()) {
            lines.line("", "but this host takes it PAST the rules of Services, see host below");
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
            case Packet.Origin.Interface(String name) when name.isEmpty() -> "on any interface (--in NAME selects one)";
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
        if (explanation.kernel() instanceof KernelFindings.Found found) {
            if (found.met().isEmpty()) {
                line("", "  no rule of dualstackd that names it");
            } else {
                paths(found.paths());
            }
        }
    }

    /** Appends the result and the rules of each possible way; without the result when there is only one way. */
    private void paths(List<KernelPath> paths) {
        if (paths.size() == 1 && paths.getFirst().to().isEmpty()) {
            limited(steps(paths.getFirst()));
            return;
        }
        int same = paths.size() == 1 ? 0 : commonEnd(paths);
        paths.stream().limit(PATHS).forEach(path -> {
            line("", "  " + end(path));
            List<String> steps = steps(path);
            indented(steps.subList(0, steps.size() - same));
        });
        if (paths.size() > PATHS) {
            line("", "  … and " + (paths.size() - PATHS) + " more ways (-o json shows all)");
        }
        if (same > 0) {
            List<String> steps = steps(paths.getFirst());
            line("", "  then, for each of them");
            indented(steps.subList(steps.size() - same, steps.size()));
        }
    }

    /** The number of last steps that all ways share. */
    private static int commonEnd(List<KernelPath> paths) {
        List<Evidence> first = paths.getFirst().steps().reversed();
        int same = first.size();
        for (KernelPath path : paths) {
            List<Evidence> steps = path.steps().reversed();
            int equal = 0;
            while (equal < Math.min(same, steps.size()) && steps.get(equal).equals(first.get(equal))) {
                equal++;
            }
            same = equal;
        }
        return same;
    }

    private void indented(List<String> steps) {
        limited(steps.stream().map(step -> "  " + step).toList());
    }

    private static List<String> steps(KernelPath path) {
        return path.steps().stream().map(ExplanationText::evidence).toList();
    }

    /** {@code to 10.244.0.11:8080, masqueraded (50 %)}. */
    private static String end(KernelPath path) {
        String percent =
                String.format(Locale.ROOT, "%.1f", path.probability() * 100).replaceFirst("\\.0$", "");
        return path.to()
                        .filter(to -> path.fate().equals("forwarded"))
                        .map(to -> "to " + to)
                        .orElse(path.fate())
                + (path.masqueraded() ? ", masqueraded" : "")
                + (path.probability() < 1 ? " (" + percent + " %)" : "");
    }

    /** Appends what other programs set up on the host; for each path that a packet may take, what it meets. */
    private void host(HostPath path) {
        if (!path.legs().isEmpty()) {
            line("host", verdict(path));
        }
        for (HostPath.Leg leg : path.legs()) {
            if (path.legs().size() > 1) {
                line("", "  to " + leg.to().stream().map(IpPort::toString).collect(Collectors.joining(", ")));
            }
            limited(leg.findings().stream().map(HostPath.Finding::toString).toList());
        }
        line("not seen", String.join("; ", path.notSeen()));
    }

    private static String verdict(HostPath path) {
        if (path.drops()) {
            return "DROPS it";
        }
        if (path.bypasses()) {
            return "takes it PAST the rules of Services";
        }
        if (!path.mayDrop() && !path.mayBypass()) {
            return "lets it pass, as far as was checked";
        }
        return (path.mayBypass()
                        ? "may take it past the rules of Services" + (path.mayDrop() ? ", or drop it" : "")
                        : "may drop it")
                + ": rules of other programs were not evaluated";
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

    private void line(String label, String value) {
        text.append((label + INDENT).substring(0, INDENT.length()))
                .append(value)
                .append('\n');
    }
}
