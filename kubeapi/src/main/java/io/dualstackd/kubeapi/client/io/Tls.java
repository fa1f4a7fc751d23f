package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.PemKey;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TLS settings for connections to one server. What does not change is computed once per client certificate. */
final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private static final Duration HANDSHAKE = Duration.ofSeconds(10);

    private final ClusterAccess server;
    private final SystemAuthorities system;
    private Input madeWith = new Input(Optional.empty(), Optional.empty());
    private @Nullable SslContext current;
    private volatile boolean invalid;
    private String reported = "";

    /** The current content of the files. */
    private record Input(Optional<ClientCertificate> client, Optional<String> authorities) {}

    /** @param system used when no authorities are given for the server */
    Tls(ClusterAccess server, SystemAuthorities system) {
        this.server = server;
        this.system = system;
    }

    /** {@code BoringSSL}, {@code JDK} or {@code none}. */
    String name() {
        return !server.secure() ? "none" : OpenSsl.isAvailable() ? "BoringSSL" : "JDK";
    }

    /**
     * Returns the context for a connection made now; empty when it is not encrypted. Parses certificates, so not on the event loop.
     *
     * @param authorities certificates that may have signed the server's; empty: as given at the start
     * @throws IOException if a certificate or key cannot be read and none could before; the message names it
     */
    synchronized Optional<SslContext> context(Optional<ClientCertificate> client, Optional<String> authorities)
            throws IOException {
        if (!server.secure()) {
            return Optional.empty();
        }
        Input input = new Input(client, authorities.or(server::authorities));
        SslContext before = current;
        if (before != null && !invalid && input.equals(madeWith)) {
            return Optional.of(before);
        }
        try {
            SslContext context = make(input);
            current = context;
            madeWith = input;
            invalid = false;
            reported = "";
            return Optional.of(context);
        } catch (IOException e) {
            if (before == null) {
                throw e;
            }
            String problem = String.valueOf(e.getMessage());
            if (!problem.equals(reported)) {
                LOG.warn("certificates cannot be reread, the previous ones stay in use error=\"{}\"", problem);
                reported = problem;
            }
            return Optional.of(before);
        }
    }

    /** The server's certificate was not trusted: the authorities may have changed, also in the system's list, and are read again. */
    void invalidate() {
        invalid = true;
    }

    /** The handler of one connection; verifies that the certificate is valid for the server's name or address. */
    SslHandler handler(SslContext context, ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator, server.serverName().orElse(server.host()), server.port());
        handler.setHandshakeTimeoutMillis(HANDSHAKE.toMillis());
        return handler;
    }

    private SslContext make(Input input) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK);
        if (server.insecure()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else {
            builder.endpointIdentificationAlgorithm("HTTPS");
            builder.trustManager(
                    input.authorities().isPresent()
                            ? authorities(input.authorities().get())
                            : system.certificates());
        }
        if (input.client().isPresent()) {
            ClientCertificate client = input.client().get();
            builder.keyManager(key(client.key()), chain(client.chain()));
        }
        return builder.build();
    }

    /** One that cannot be parsed does not affect the others. */
    private static X509Certificate[] authorities(String pem) throws IOException {
        String source = "the server's certificate authority";
        PemCertificates found = certificates(pem, source);
        return found.readable().isEmpty()
                ? all(found, source)
                : found.readable().toArray(X509Certificate[]::new);
    }

    private static X509Certificate[] chain(String pem) throws IOException {
        String source = "the client certificate";
        return all(certificates(pem, source), source);
    }

    private static X509Certificate[] all(PemCertificates found, String source) throws IOException {
        if (found.unreadable().isPresent()) {
            throw unreadable(source, found.unreadable().get());
        }
        return found.readable().toArray(X509Certificate[]::new);
    }

    private static PemCertificates certificates(String pem, String source) throws IOException {
        try {
            PemCertificates found = PemCertificates.in(pem);
            if (found.readable().isEmpty() && found.unreadable().isEmpty()) {
                throw new IOException(source + " holds no certificate; it must be PEM");
            }
            return found;
        } catch (CertificateException e) {
            throw unreadable(source, e);
        }
    }

    private static IOException unreadable(String source, CertificateException e) {
        return new IOException(source + " cannot be read: " + e.getMessage(), e);
    }

    private static PrivateKey key(String pem) throws IOException {
        try {
            PemKey read = PemKey.read(pem);
            return KeyFactory.getInstance(read.algorithm()).generatePrivate(new PKCS8EncodedKeySpec(read.pkcs8()));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException("the client's private key cannot be read: " + e.getMessage(), e);
        }
    }
}
