package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.explain.Agreement;
import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.HostPath;
import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.explain.KernelFindings;
import io.dualstackd.explain.KernelPath;
import io.dualstackd.explain.Note;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.Comparator;
import java.util.List;

/** An explanation as JSON. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** Returns the fields {@code packet}, {@code result}, {@code notes}, {@code kernel}, {@code host}. */
    public static Tree of(Explanation explanation) {
        Tree.Mapping fields = Tree.object("packet", packet(explanation.packet()))
                .with("result", fate(explanation.fate()))
                .with("affinityTo", explanation.pinned().map(Object::toString))
                .with(
                        "notes",
                        explanation.notes().stream().map(ExplanationJson::note).toList())
                .with("kernel", kernel(explanation));
        return explanation.host().map(host -> fields.with("host", host(host))).orElse(fields);
    }

    private static Tree note(Note note) {
        return Tree.object("about", note.about()).with("text", note.text());
    }

    private static Tree host(HostPath path) {
        Verdict worst = path.legs().stream()
                .map(HostPath.Leg::verdict)
                .max(Comparator.naturalOrder())
                .orElse(Verdict.PASSES);
        return Tree.object("verdict", words(worst))
                .with("ways", path.legs().stream().map(ExplanationJson::leg).toList())
                .with("notSeen", path.notSeen());
    }

    private static Tree leg(HostPath.Leg leg) {
        return Tree.object("to", leg.to())
                .with(
                        "meets",
                        leg.findings().stream().map(ExplanationJson::finding).toList());
    }

    private static Tree finding(HostPath.Finding finding) {
        return Tree.object("what", finding.what())
                .with("verdict", words(finding.verdict()))
                .with("reason", finding.words());
    }

    private static String words(Verdict verdict) {
        return switch (verdict) {
            case PASSES -> "passes";
            case MAY_DROP -> "may drop";
            case MAY_BYPASS -> "may bypass";
            case MAY_TRANSLATE -> "may translate";
            case TRANSLATES -> "translates";
            case BYPASSES -> "bypasses";
            case DROPS -> "drops";
        };
    }

    private static Tree packet(Packet packet) {
        Tree.Mapping fields = Tree.object("source", packet.source())
                .with("destination", packet.destination())
                .with("port", packet.port())
                .with("protocol", packet.protocol());
        return switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> fields.with("fromThisNode", true);
            case Packet.Origin.Interface(String name) ->
                fields.with("fromThisNode", false).with("interface", name);
        };
    }

    private static Tree fate(PacketFate fate) {
        return switch (fate) {
            case PacketFate.Forwarded(var service, var reason, var hops) ->
                Tree.object("fate", "forwarded")
                        .with("service", service)
                        .with("address", reason.address())
                        .with("endpoints", reason.endpoints())
                        .with("source", reason.source())
                        .with("to", hops.stream().map(ExplanationJson::hop).toList());
            case PacketFate.Rejected(var service, String why) ->
                Tree.object("fate", "rejected").with("service", service).with("reason", why);
            case PacketFate.Dropped(var service, String why) ->
                Tree.object("fate", "dropped")
                        .with("service", service.map(Object::toString))
                        .with("reason", why);
            case PacketFate.NotOurs() -> Tree.object("fate", "not ours");
        };
    }

    private static Tree hop(Hop hop) {
        return Tree.object("address", hop.to().address())
                .with("local", hop.to().local())
                .with("masqueraded", hop.masqueraded());
    }

    private static Tree kernel(Explanation explanation) {
        Tree.Mapping fields = Tree.object("mode", explanation.mode());
        Tree.Mapping judged = switch (explanation.agreement()) {
            case Agreement.Agrees() -> fields.with("agrees", true);
            case Agreement.Differs(List<String> how) ->
                fields.with("agrees", false).with("differences", how);
            case Agreement.Unknown(String why) -> fields.with("unknown", why);
        };
        return explanation.kernel() instanceof KernelFindings.Found found
                ? judged.with(
                                "met",
                                found.met().stream()
                                        .map(ExplanationJson::evidence)
                                        .toList())
                        .with(
                                "paths",
                                found.paths().stream()
                                        .map(ExplanationJson::path)
                                        .toList())
                : judged;
    }

    private static Tree path(KernelPath path) {
        return Tree.object("fate", path.fate())
                .with("to", path.to().map(Object::toString))
                .with("masqueraded", path.masqueraded())
                .with("probability", Math.round(path.probability() * 1e6) / 1e6)
                .with(
                        "meets",
                        path.steps().stream().map(ExplanationJson::evidence).toList());
    }

    private static Tree evidence(Evidence evidence) {
        return Tree.object("place", evidence.place()).with("object", evidence.object());
    }
}
