package io.dualstackd.agent.faults;

import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A cluster's authority, and the serving certificate it signed. */
record ServerKeys(HeldCertificate authority, HeldCertificate server) {
    static ServerKeys fresh() {
        return signedBy(new HeldCertificate.Builder()
                .certificateAuthority(0)
                .commonName("cluster-" + System.nanoTime())
                .duration(2, TimeUnit.DAYS)
                .build());
    }

    private static ServerKeys signedBy(HeldCertificate authority) {
        return new ServerKeys(
                authority,
                new HeldCertificate.Builder()
                        .signedBy(authority)
                        .addSubjectAlternativeName(FaultNet.SERVER4)
                        .commonName("apiserver")
                        .duration(2, TimeUnit.DAYS)
                        .build());
    }

    /** Another serving certificate of the same authority. */
    ServerKeys renewed() {
        return signedBy(authority);
    }

    String authorityPem() {
        return authority.certificatePem();
    }

    SSLContext tls() {
        return new HandshakeCertificates.Builder()
                .heldCertificate(server, authority.certificate())
                .build()
                .sslContext();
    }
}
