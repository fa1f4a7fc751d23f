package io.dualstackd.nodeaddr;

import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.List;

/** No address list can be made of what there is. The message names the value and the rule; for people. */
public final class NodeAddressException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<PassedOver> passedOver;

    public NodeAddressException(String message, List<PassedOver> passedOver) {
        super(message);
        this.passedOver = List.copyOf(passedOver);
    }

    public NodeAddressException(String message) {
        this(message, List.of());
    }

    /** What was looked at and why it would not do. */
    public List<PassedOver> passedOver() {
        return passedOver;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
