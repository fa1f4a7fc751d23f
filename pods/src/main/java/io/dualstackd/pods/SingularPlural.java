package io.dualstackd.pods;

import java.util.List;

/**
 * Pairs of API fields that say the same once in the singular and once as a list: {@code podIP}/{@code podIPs},
 * {@code podCIDR}/{@code podCIDRs}.
 *
 * @param singular the only value an old client knows; empty when there is none
 */
public record SingularPlural(String singular, List<String> plural) {
    public SingularPlural {
        plural = List.copyOf(plural);
    }

    /** A list as both fields show it: the singular is the first of it. */
    public static SingularPlural of(List<String> list) {
        return new SingularPlural(list.isEmpty() ? "" : list.getFirst(), list);
    }

    /**
     * The one list both fields mean. Where they disagree the singular wins and the list is dropped: a client that knows only the
     * singular has changed it.
     */
    public List<String> list() {
        boolean agree =
                singular.isEmpty() || (!plural.isEmpty() && plural.getFirst().equals(singular));
        return agree ? plural : List.of(singular);
    }
}
