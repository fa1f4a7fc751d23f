package io.dualstackd.pages.health;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The result of one health check.
 *
 * @param error why it failed; empty when it passed
 */
public record Check(String name, Optional<String> error) {
    /** A check that passes whenever the daemon answers. */
    public static final Check PING = new Check("ping", Optional.empty());

    /**
     * The page of some checks, as components of Kubernetes write it: {@code ok}, or a line for each check with {@code ?verbose} or when a
     * check fails. {@code ?exclude=NAME} leaves a check out. Below the page each check has one of its own.
     *
     * @param name of the page, without a slash
     */
    public static HttpAnswer page(String name, List<Check> checks, HttpRequest request) {
        String only = request.path().substring(Math.min(request.path().length(), name.length() + 2));
        if (!only.isEmpty() && checks.stream().noneMatch(check -> check.name.equals(only))) {
            return HttpAnswer.NOT_FOUND;
        }
        Set<String> excluded = Set.copyOf(request.values("exclude"));
        List<Check> selected = checks.stream()
                .filter(check -> only.isEmpty() || check.name.equals(only))
                .toList();
        boolean good = selected.stream().allMatch(check -> check.error.isEmpty() || excluded.contains(check.name));
        if (good && request.values("verbose").isEmpty()) {
            return HttpAnswer.text(200, "ok");
        }
        String lines = selected.stream()
                .map(check -> excluded.contains(check.name) ? "[+]" + check.name + " excluded: ok\n" : check.line())
                .collect(Collectors.joining());
        return HttpAnswer.text(good ? 200 : 500, lines + name + " check " + (good ? "passed" : "failed") + "\n");
    }

    private String line() {
        return error.map(why -> "[-]" + name + " failed: " + why + "\n").orElse("[+]" + name + " ok\n");
    }
}
