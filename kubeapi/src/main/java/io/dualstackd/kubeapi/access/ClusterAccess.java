package io.dualstackd.kubeapi.access;

import java.util.Optional;

/**
 * Where the API server is.
 *
 * @param secure {@code https}
 * @param host a name, or an address without brackets
 * @param port 1 to 65535
 * @param path what comes before {@code /api} and {@code /apis}; empty, or begins with a slash and does not end with one
 * @param authorities certificates in PEM that may have signed the server's; empty when the system's are to be trusted
 * @param serverName what the server's certificate must be for, when not {@code host}; also sent as server name
 * @param insecure the server's certificate is not looked at
 * @param proxy {@code proxy-url}: {@code http://[user:password@]host:port} or {@code socks5://host:port}; empty when the environment decides
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
    /** As people write it: {@code https://10.0.0.1:6443}. */
    public String url() {
        return (secure ? "https://" : "http://") + authority() + path;
    }

    /** Host and port: {@code 10.0.0.1:6443}, {@code [fd00::1]:6443}. */
    public String authority() {
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return bracketed + ":" + port;
    }
}
