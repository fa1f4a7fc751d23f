package io.dualstackd.agent.report.io;

import io.dualstackd.agent.cluster.Reply;
import io.dualstackd.agent.cluster.io.RestClient;
import io.dualstackd.agent.report.Ask;

/** Single questions to the API server; they block until there is an answer, and never throw. */
public interface Api {
    /** @param target path and query */
    Reply get(String target);

    Reply patch(String target, String contentType, String body);

    Reply post(String target, String body);

    /** Those that a connection to a real server answers. */
    static Api of(RestClient calls) {
        return new Api() {
            @Override
            public Reply get(String target) {
                return calls.get(target);
            }

            @Override
            public Reply patch(String target, String contentType, String body) {
                return calls.patch(target, contentType, body);
            }

            @Override
            public Reply post(String target, String body) {
                return calls.post(target, body);
            }
        };
    }

    /** Asks what was prepared. */
    default Reply send(Ask ask) {
        return ask.method().equals("POST")
                ? post(ask.path(), ask.body())
                : patch(ask.path(), ask.contentType(), ask.body());
    }
}
