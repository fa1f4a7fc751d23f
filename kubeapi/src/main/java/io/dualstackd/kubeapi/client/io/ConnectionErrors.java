package io.dualstackd.kubeapi.client.io;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;

/** Describes libraries' exceptions about broken connections. */
final class ConnectionErrors {
    private ConnectionErrors() {}

    static String words(Throwable fault) {
        Throwable inner = fault;
        for (int depth = 0; depth < 8 && inner.getCause() != null; depth++) {
            if (inner instanceof CertificateException) {
                break;
            }
            inner = inner.getCause();
        }
        String message = inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
        return switch (inner) {
            case CertificateException ignored -> "its certificate is not accepted: " + message;
            case ProxyConnectException ignored -> "the proxy does not connect to it (" + message + ")";
            case ConnectException ignored -> "nothing listens there (" + message + ")";
            case NoRouteToHostException ignored -> "there is no route to it (" + message + ")";
            case ClosedChannelException ignored -> "it hung up";
            case SSLException ignored -> "TLS: " + message;
            default -> fault instanceof SSLException ? "TLS: " + message : message;
        };
    }

    /** Whether a connection failed because of a timeout. */
    static boolean isTimeout(Throwable fault) {
        return fault instanceof ConnectTimeoutException
                || fault instanceof SslHandshakeTimeoutException
                || (fault.getCause() != null && isTimeout(fault.getCause()));
    }
}
