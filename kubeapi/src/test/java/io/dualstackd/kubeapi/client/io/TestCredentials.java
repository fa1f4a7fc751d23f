package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.io.Credentials;
import java.util.Optional;

/** A token that is replaced when the server does not take it any more. */
final class TestCredentials implements Credentials {
    private String token;
    private String next;
    private int refusals;

    TestCredentials(String token) {
        this.token = token;
        this.next = token;
    }

    synchronized void onRefusal(String other) {
        next = other;
    }

    synchronized int refusals() {
        return refusals;
    }

    @Override
    public synchronized Optional<String> authorization() {
        return Optional.of("Bearer " + token);
    }

    @Override
    public Optional<ClientCertificate> certificate() {
        return Optional.empty();
    }

    @Override
    public synchronized void refused() {
        refusals++;
        token = next;
    }
}
