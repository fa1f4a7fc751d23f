package io.dualstackd.agent.faults;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Component;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The health of a daemon as an admin, kubelet and Prometheus query it: each with a time limit; no answer is a problem, too. */
record Health(NetNs ns, Path adminSocket) {
    private static final String DEGRADED = "degraded: ";
    private static final int TIMEOUT_MILLIS = 5000;
    private static final Pattern REASON = Pattern.compile("\"reason\" : \"([a-z-]+)\"");
    private static final Pattern PROBLEM_TEXT =
            Pattern.compile("\"(text|trouble|message|error|said|why)\" : \"([^\"]{3,200})");

    /**
     * @param problems what is reported to be wrong; empty when nothing is
     * @param livez whether {@code /livez} answers 200
     */
    record Report(List<String> problems, boolean livez) {
        /** Something is reported to be wrong. */
        boolean isDegraded() {
            return !problems.isEmpty();
        }

        /** Traffic flows, according to the report. */
        boolean isServing() {
            return problems.stream().allMatch(each -> each.startsWith("status: " + DEGRADED));
        }

        @Override
        public String toString() {
            return problems.isEmpty() ? "healthy" : String.join("; ", problems);
        }
    }

    Report ask() {
        List<String> problems = new ArrayList<>();
        status(problems);
        http("/healthz", problems);
        boolean livez = http("/livez", problems);
        return new Report(problems, livez);
    }

    /** Every component that runs, by {@code status}. */
    Set<Component> components() {
        Set<Component> found = EnumSet.noneOf(Component.class);
        if (AdminClient.status(adminSocket, "json") instanceof AdminClient.Answer.Report report) {
            for (Component component : Component.values()) {
                if (report.text().contains("\"component\" : \"" + component + "\"")) {
                    found.add(component);
                }
            }
        }
        return found;
    }

    private void status(List<String> problems) {
        AdminClient.Answer answer =
                within(() -> AdminClient.status(adminSocket, "json"), new AdminClient.Answer.Unreachable("no answer"));
        switch (answer) {
            case AdminClient.Answer.Report report when report.healthy() -> {}
            case AdminClient.Answer.Report report when onlyRestarts(report.text()) -> {}
            case AdminClient.Answer.Report report ->
                problems.add("status: " + (report.degraded() ? DEGRADED : "") + troubles(report.text()));
            case AdminClient.Answer.Refused refused -> problems.add("status: " + refused.why());
            case AdminClient.Answer.Unreachable unreachable -> problems.add("status: unreachable");
        }
    }

    /** Failures that are over are reported for ten minutes; they say nothing about the present state. */
    private static boolean onlyRestarts(String json) {
        List<String> reasons =
                REASON.matcher(json).results().map(found -> found.group(1)).toList();
        return !reasons.isEmpty() && reasons.stream().allMatch("component-restarted"::equals);
    }

    private static String troubles(String json) {
        List<String> troubles = new ArrayList<>();
        Matcher matcher = PROBLEM_TEXT.matcher(json);
        while (matcher.find()) {
            troubles.add(matcher.group(2));
        }
        return troubles.isEmpty() ? "unhealthy" : String.join(" | ", troubles);
    }

    private boolean http(String path, List<String> problems) {
        String answer = within(() -> ns.call(() -> get(path)), "no answer");
        if (answer.startsWith("HTTP/1.1 200") || answer.startsWith("HTTP/1.0 200")) {
            return true;
        }
        problems.add(path + ": " + answer.lines().findFirst().orElse(""));
        return false;
    }

    private static String get(String path) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(FaultNet.NODE4, 10256), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no answer";
        }
    }

    private static <T> T within(Callable<T> question, T otherwise) {
        FutureTask<T> task = new FutureTask<>(question);
        Thread.ofPlatform().daemon().name("health-question").start(task);
        try {
            return task.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return otherwise;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        } finally {
            task.cancel(true);
        }
    }
}
