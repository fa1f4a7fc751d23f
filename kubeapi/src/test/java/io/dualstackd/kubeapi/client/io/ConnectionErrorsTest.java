package io.dualstackd.kubeapi.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.handler.proxy.ProxyConnectException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What people read of exceptions; the name of a class is nothing to read. */
final class ConnectionErrorsTest {
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(new ConnectException("refused"), "nothing listens there (refused)"),
                arguments(
                        new ProxyConnectException("status: 407 Proxy Authentication Required"),
                        "the proxy does not connect to it (status: 407 Proxy Authentication Required)"),
                arguments(new NoRouteToHostException("no route"), "there is no route to it (no route)"),
                arguments(new ClosedChannelException(), "it hung up"),
                arguments(new SSLException("closed early", new ClosedChannelException()), "it hung up"),
                arguments(new SSLHandshakeException("bad"), "TLS: bad"),
                arguments(
                        new SSLException("x", new CertificateException("expired")),
                        "its certificate is not accepted: expired"),
                arguments(new IOException("reset"), "reset"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void words(Throwable fault, String words) {
        assertThat(ConnectionErrors.words(fault)).isEqualTo(words);
    }
}
