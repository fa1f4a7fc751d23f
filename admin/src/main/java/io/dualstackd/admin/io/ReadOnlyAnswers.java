package io.dualstackd.admin.io;

import io.dualstackd.admin.AdminSources;
import java.util.List;

/** Answers requests of the admin socket that change nothing, for callers in the same process. */
public final class ReadOnlyAnswers {
    private static final List<String> KNOWN = List.of("status", "explain", "explain-service", "monitor");

    private final AdminHandlers handlers;

    public ReadOnlyAnswers(AdminSources sources) {
        handlers = new AdminHandlers(sources);
    }

    /**
     * Answers a request; blocks as long as its source does.
     *
     * @param words each without blanks; the first is {@code status}, {@code explain}, {@code explain-service} or {@code monitor}
     */
    public AdminClient.Answer ask(List<String> words) {
        boolean plain = words.stream().noneMatch(word -> word.isEmpty() || word.matches("(?s).*\\s.*"));
        if (!plain || !KNOWN.contains(words.getFirst())) {
            return new AdminClient.Answer.Refused("a value is missing, or has a blank in it");
        }
        try {
            return AdminClient.answer(handlers.to(new AdminRequest(String.join(" ", words), "")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new AdminClient.Answer.Unreachable("the daemon is stopping");
        }
    }
}
