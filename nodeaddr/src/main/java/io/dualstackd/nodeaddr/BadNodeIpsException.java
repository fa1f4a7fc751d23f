package io.dualstackd.nodeaddr;

/** Thrown for a text that is not a valid {@link NodeIps} or {@link LegacyNodeIp}. The message names the value and the broken rule. */
public final class BadNodeIpsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String rule;

    BadNodeIpsException(String what, String value, String rule) {
        super(what + " \"" + value + "\": " + rule);
        this.rule = rule;
    }

    /** The broken rule without the value, for callers that show the value themselves. */
    public String rule() {
        return rule;
    }
}
