package io.dualstackd.kubeapi.access;

import java.util.Optional;

/**
 * The address of the API server and how it is authenticated.
 *
 * @param secure {@code https}
 * @param host a name, or an address without brackets
 * @param port 1 to 65535
 * @param path prefix of {@code /api} and {@code /apis}; empty, or begins with a slash and does not end with one
 * @param authorities certificates in PEM that may have signed the server's; empty to trust the system's
 * @param serverName name that the server's certificate must be valid for, when not {@code host}; also sent as server name (SNI)
 * @param insecure the server's certificate is not verified
 * @param proxy {@code proxy-url}: {@code http://[user:password@]host:port} or {@code socks5://host:port}; empty to use the environment
 */
public record ClusterAccess(
        boolean secure,
        String host,
        int port,
        String path,
        Optional<String> authorities,
        Optional<String> serverName,
        boolean insecure,
        Optional<String> proxy) {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /** The URL of the server: {@code https://10.0.0.1:6443}. */
    public String url() {
        return (secure ? "https://" : "http://") + authority() + path;
    }

    /** The host, with its port unless that is the scheme's: for the header {@code Host}. */
    public String hostHeader() {
        String authority = authority();
        return port == (secure ? HTTPS : HTTP) ? authority.substring(0, authority.lastIndexOf(':')) : authority;
    }

    /** Host and port: {@code 10.0.0.1:6443}, {@code [fd00::1]:6443}. */
    public String authority() {
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return bracketed + ":" + port;
    }
}
