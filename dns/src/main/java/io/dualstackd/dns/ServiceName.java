package io.dualstackd.dns;

import java.util.Locale;

/** Namespace and name of a Service, in lower case. */
public record ServiceName(String namespace, String name) {
    public ServiceName {
        namespace = namespace.toLowerCase(Locale.ROOT);
        name = name.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
