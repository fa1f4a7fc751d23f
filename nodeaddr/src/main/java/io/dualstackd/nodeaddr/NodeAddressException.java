package io.dualstackd.nodeaddr;

import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.List;

/** Thrown when no address list can be made from the available addresses. The message names the value and the rule, for the administrator. */
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

    /** The candidates that were considered, and why each was rejected. */
    public List<PassedOver> passedOver() {
        return passedOver;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
