package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.WriteRequest;

/** Single requests to the API server; calls block until there is a response, and never throw. */
public interface ApiClient {
    /** @param target path and query */
    Reply get(String target);

    Reply patch(String target, String contentType, String body);

    Reply post(String target, String body);

    /** Sends the request. */
    default Reply send(WriteRequest writeRequest) {
        return writeRequest.method().equals("POST")
                ? post(writeRequest.path(), writeRequest.body())
                : patch(writeRequest.path(), writeRequest.contentType(), writeRequest.body());
    }
}
