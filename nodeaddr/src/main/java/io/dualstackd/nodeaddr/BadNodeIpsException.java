package io.dualstackd.nodeaddr;

/** A text that is no {@link NodeIps} or {@link LegacyNodeIp}. The message names the value and the broken rule. */
public final class BadNodeIpsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String rule;

    BadNodeIpsException(String what, String value, String rule) {
        super(what + " \"" + value + "\": " + rule);
        this.rule = rule;
    }

    /** The broken rule without the value, for those who show that themselves. */
    public String rule() {
        return rule;
    }
}
