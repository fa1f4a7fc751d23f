package io.dualstackd.node.report.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.io.ApiClient;
import io.dualstackd.kubeapi.wire.ApiStatus;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An API server that answers from a script and records the requests. */
final class ScriptedApi implements ApiClient {
    private static final Reply DONE = new Reply.Done(200, "{}");

    /** As {@code PATCH /path body}. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    private volatile Function<String, Reply> reads = target -> refused(404);
    private volatile Function<String, Reply> writes = request -> DONE;

    void onRead(Function<String, Reply> answer) {
        reads = answer;
    }

    void onWrite(Function<String, Reply> answer) {
        writes = answer;
    }

    static Reply refused(int code) {
        return new Reply.Refused(new ApiStatus(code, "Because", "of it", OptionalInt.empty()));
    }

    @Override
    public Reply get(String target) {
        asked.add("GET " + target);
        return reads.apply(target);
    }

    @Override
    public Reply patch(String target, String contentType, String body) {
        return written("PATCH " + target + " " + body);
    }

    @Override
    public Reply post(String target, String body) {
        return written("POST " + target + " " + body);
    }

    private Reply written(String request) {
        Reply reply = writes.apply(request);
        asked.add(request);
        return reply;
    }

    List<String> written() {
        return asked.stream().filter(request -> !request.startsWith("GET ")).toList();
    }
}
