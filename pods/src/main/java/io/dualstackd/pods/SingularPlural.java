package io.dualstackd.pods;

import java.util.List;

/**
 * Pairs of API fields that hold the same value once in the singular and once as a list: {@code podIP}/{@code podIPs}, {@code
 * podCIDR}/{@code podCIDRs}.
 *
 * @param singular the only field known to an old client; empty when there is no value
 */
public record SingularPlural(String singular, List<String> plural) {
    public SingularPlural {
        plural = List.copyOf(plural);
    }

    /** Returns both fields for a list: the singular is its first value. */
    public static SingularPlural of(List<String> list) {
        return new SingularPlural(list.isEmpty() ? "" : list.getFirst(), list);
    }

    /**
     * Returns the list that both fields stand for. Where they differ the singular wins and the list is dropped: a client that knows only
     * the singular has changed it.
     */
    public List<String> list() {
        boolean agree =
                singular.isEmpty() || (!plural.isEmpty() && plural.getFirst().equals(singular));
        return agree ? plural : List.of(singular);
    }
}
