package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.WriteRequest;

/** Single questions to the API server; they block until there is an answer, and never throw. */
public interface ApiClient {
    /** @param target path and query */
    Reply get(String target);

    Reply patch(String target, String contentType, String body);

    Reply post(String target, String body);

    /** Those that a connection to a real server answers. */
    static ApiClient of(RestClient calls) {
        return new ApiClient() {
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
    default Reply send(WriteRequest writeRequest) {
        return writeRequest.method().equals("POST")
                ? post(writeRequest.path(), writeRequest.body())
                : patch(writeRequest.path(), writeRequest.contentType(), writeRequest.body());
    }
}
