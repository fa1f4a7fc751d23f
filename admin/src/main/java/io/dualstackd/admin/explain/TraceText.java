package io.dualstackd.admin.explain;

import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.trace.TraceStep;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.netlink.ip.IpPort;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The ways of packets as text for people. */
public final class TraceText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final List<String> HOOKS = List.of("prerouting", "input", "forward", "output", "postrouting");
    private static final String INDENT = " ".repeat(14);

    private final StringBuilder text = new StringBuilder();

    private TraceText() {}

    /** Returns lines, each ended by a newline. */
    public static String of(TraceReport.Seen report) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (TraceReport.Packet packet : report.packets()) {
            number++;
            text.append(packet(number, report.request(), packet));
        }
        return text.append(end(report)).toString();
    }

    /** The lines of one packet. */
    public static String packet(int number, TraceRequest request, TraceReport.Packet packet) {
        TraceText lines = new TraceText();
        lines.add(number, request, packet);
        return lines.text.toString();
    }

    /** The lines behind those of all packets; may be none. */
    public static String end(TraceReport.Seen report) {
        TraceText lines = new TraceText();
        if (report.packets().isEmpty()) {
            ExplainRequest request = report.request().packet();
            lines.text.append("no packet from " + request.source() + " to "
                    + new IpPort(request.destination(), request.port()) + " (" + request.protocol() + ") in "
                    + report.request().time().toSeconds() + " s\n");
        }
        if (report.lost()) {
            lines.line("lost", "messages came faster than they were read: parts of this may be missing");
        }
        report.notSeen().forEach(what -> lines.line("not seen", what));
        return lines.text.toString();
    }

    private void add(int number, TraceRequest request, TraceReport.Packet seen) {
        TracedPacket packet = seen.traced();
        line(
                "packet " + number,
                request.packet().protocol() + " " + packet.first() + ", "
                        + (packet.in().isEmpty() ? "sent by this node itself" : "in through " + packet.in())
                        + ", at " + TIME.format(packet.since()));
        String last = "";
        for (TraceStep step : packet.steps()) {
            String hook = hook(step);
            line(hook.equals(last) ? "" : " " + hook, step.toString());
            last = hook;
        }
        line("result", result(packet));
        if (packet.known()) {
            line(
                    "",
                    "of a connection that the kernel knew: it goes where the first packet went, no rule of nat is asked");
        }
        line("service", seen.service().orElse("none has this address and port"));
        line(
                "planned",
                seen.difference()
                        .map(how -> "OTHERWISE: " + how)
                        .orElse(seen.planned() instanceof PacketFate.NotOurs ? "nothing" : "the same"));
    }

    static String hook(TraceStep step) {
        return step.hook()
                .filter(hook -> hook.number() >= 0 && hook.number() < HOOKS.size())
                .map(hook -> HOOKS.get(hook.number()))
                .orElse("");
    }

    static String result(TracedPacket packet) {
        String changed = packet.translated()
                        .map(to -> "translated to " + to + ", ")
                        .orElse("")
                + packet.masqueraded().map(ip -> "masqueraded as " + ip + ", ").orElse("");
        String place = packet.end().place();
        String end = switch (packet.end().fate()) {
            case DELIVERED -> "delivered to this node";
            case SENT -> "sent through " + place;
            case REJECTED -> "REFUSED by " + place + " (the client sees \"connection refused\")";
            case DROPPED -> "DROPPED by " + place + " (the client waits)";
            case QUEUED -> "given to another program by " + place;
            case VANISHED ->
                "nothing more was seen of it" + (place.isEmpty() ? "" : " after " + place)
                        + ": no route, rp_filter, or a setting; see 'dualstackd explain'";
        };
        boolean untouched = packet.passed() && packet.translated().isEmpty();
        return changed + end + (untouched ? ", its destination as it was" : "");
    }

    private void line(String label, String value) {
        text.append((label + INDENT).substring(0, INDENT.length()))
                .append(value)
                .append('\n');
    }
}
