package io.dualstackd.admin.io;

import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.explain.TraceJson;
import io.dualstackd.admin.explain.TraceReport;
import io.dualstackd.admin.explain.TraceRequest;
import io.dualstackd.admin.explain.TraceText;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Answers a request to trace packets.
 *
 * @param parts receives, in the format {@code live}, the packets one by one
 * @param gone whether the client has disconnected
 */
record TraceHandler(Explainer explainer, Consumer<String> parts, BooleanSupplier gone) {
    /** The format in which each packet is sent as soon as its way is known. */
    static final String LIVE = "live";

    /** Answers {@code trace FORMAT SECONDS COUNT SOURCE DESTINATION [INTERFACE]}. Blocks until the trace is over. */
    String answer(List<String> words) throws InterruptedException {
        TraceRequest request;
        try {
            request = TraceRequest.of(words.subList(2, words.size()));
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()));
        }
        String format = words.get(1);
        AtomicInteger sent = new AtomicInteger();
        Consumer<TraceReport.Packet> seen = packet -> {
            int number = sent.incrementAndGet();
            parts.accept(live(number == 1, TraceText.packet(number, request, packet)));
        };
        TraceReport report = explainer.trace(request, format.equals(LIVE) ? seen : packet -> {}, gone);
        if (gone.getAsBoolean()) {
            // It was cut short, and a client that has shut down only its own side reads what it gets.
            return refused("the client shut down its side of the connection, which ends a trace; keep it open until"
                    + " the answer is complete");
        }
        return switch (report) {
            case TraceReport.Refused(String why) -> refused(why);
            case TraceReport.Seen all -> {
                String head = AdminHandlers.head(all.isGood());
                yield switch (format) {
                    case LIVE -> live(sent.get() == 0, TraceText.end(all)) + head;
                    case "text" -> head + TraceText.of(all);
                    default -> AdminHandlers.tree(head, format, TraceJson.of(all), String.join(" ", words));
                };
            }
        };
    }

    /** A part as {@link AdminClient#follow} reads it. */
    private static String live(boolean first, String text) {
        return (first ? LIVE + "\n" : "") + (text.isEmpty() ? "" : text.indent(1) + "\n");
    }

    private static String refused(String why) {
        return AdminClient.ERROR + "\n" + why + "\n";
    }
}
