package io.dualstackd.node;

import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddresses.Chosen;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The log message for a changed choice of addresses.
 *
 * @param now the addresses, or {@code none}
 * @param was the addresses before, or {@code none}
 * @param why reasons of the changed addresses
 */
public record AddressChangeMessage(String now, String was, String why) {
    /**
     * Returns the message for a change from {@code before} to {@code now}.
     *
     * @return empty if the addresses are the same, even if for other reasons
     */
    public static Optional<AddressChangeMessage> change(AddressChoice before, AddressChoice now) {
        List<String> old = list(before);
        List<String> fresh = list(now);
        boolean sameTrouble = before instanceof AddressChoice.None(String was, var ignored)
                && now instanceof AddressChoice.None(String is, var alsoIgnored)
                && was.equals(is);
        if (sameTrouble || (now instanceof AddressChoice.Found && old.equals(fresh))) {
            return Optional.empty();
        }
        List<String> why = new ArrayList<>();
        switch (now) {
            case AddressChoice.Found(var addresses, AddressChoice.Source source) -> {
                for (Chosen chosen : addresses.chosen()) {
                    String text = chosen.address().text();
                    if (isIp(chosen.address()) && !old.contains(text)) {
                        why.add(text + " (" + source(source) + chosen.reason() + ")");
                    }
                }
                why.addAll(gone(old, fresh, addresses.passedOver()));
                if (why.isEmpty() && !fresh.isEmpty()) {
                    why.add(fresh.getFirst() + " comes first (" + source(source)
                            + addresses.chosen().getFirst().reason() + ")");
                }
                why.addAll(addresses.warnings());
            }
            case AddressChoice.None(String reason, List<PassedOver> passedOver) -> {
                why.add(reason);
                why.addAll(gone(old, fresh, passedOver));
            }
        }
        // Quotes inside are part of the reasons.
        String reasons = String.join("; ", why).replace('"', '\'');
        return Optional.of(new AddressChangeMessage(words(fresh), words(old), reasons));
    }

    private static String source(AddressChoice.Source source) {
        return switch (source) {
            case HOST -> "";
            case NODE_OBJECT -> source + " says so, ";
        };
    }

    private static List<String> gone(List<String> old, List<String> fresh, List<PassedOver> passedOver) {
        return old.stream()
                .filter(ip -> !fresh.contains(ip))
                .map(ip -> "not " + ip + " because "
                        + passedOver.stream()
                                .filter(candidate -> candidate.candidate().equals(ip)
                                        || candidate.candidate().startsWith(ip + " "))
                                .findFirst()
                                .map(PassedOver::reason)
                                .orElse("it is gone"))
                .toList();
    }

    private static List<String> list(AddressChoice choice) {
        return choice.found().stream()
                .flatMap(addresses -> addresses.addresses().stream())
                .filter(AddressChangeMessage::isIp)
                .map(NodeAddress::text)
                .toList();
    }

    private static boolean isIp(NodeAddress address) {
        return address.ip().isPresent();
    }

    private static String words(List<String> ips) {
        return ips.isEmpty() ? "none" : String.join(", ", ips);
    }
}
