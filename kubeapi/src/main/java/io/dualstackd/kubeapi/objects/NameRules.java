package io.dualstackd.kubeapi.objects;

import java.util.Optional;
import java.util.regex.Pattern;

/** Syntax rules for names: RFC 1123 as Kubernetes applies it. */
final class NameRules {
    /** A shape of names. */
    record Rule(Pattern pattern, int maxLength, String text) {
        boolean fits(String name) {
            return name.length() <= maxLength && pattern.matcher(name).matches();
        }

        /** Returns the rule if the name breaks it. */
        Optional<String> refuse(String name) {
            return fits(name) ? Optional.empty() : Optional.of(text);
        }
    }

    /** Name of a Service (since Kubernetes 1.36 starting with a digit, too), a namespace or a port. */
    static final Rule LABEL = new Rule(
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
            63,
            "must be a DNS label (RFC 1123): lower-case letters, digits and \"-\", first and last a letter or digit, "
                    + "at most 63 characters");

    /** Name of most other objects. */
    static final Rule SUBDOMAIN = new Rule(
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"),
            253,
            "must be a DNS name (RFC 1123): lower-case letters, digits, \"-\" and \".\", at most 253 characters");

    private NameRules() {}
}
