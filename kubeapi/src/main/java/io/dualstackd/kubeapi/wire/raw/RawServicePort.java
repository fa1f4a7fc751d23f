package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.PodSelector;
import java.io.IOException;

/**
 * An entry of {@code spec.ports} of a Service, as read.
 *
 * @param target number 0 when absent
 */
record RawServicePort(String name, String protocol, int port, int nodePort, PodSelector.Target target) {
    private static final Message PORT = Message.of(
            "ServicePort",
            "text name = 1, text protocol = 2, number port = 3, " + "scalar targetPort = 4, number nodePort = 5");
    private static final PodSelector.Target NO_TARGET = new PodSelector.Target.Numbered(0);

    static RawServicePort read(FieldReader in) throws IOException {
        String name = "";
        String protocol = "";
        int port = 0;
        int nodePort = 0;
        PodSelector.Target target = NO_TARGET;
        in.enter(PORT);
        while (in.next()) {
            switch (in.field()) {
                case "name" -> name = in.name();
                case "protocol" -> protocol = in.name();
                case "port" -> port = in.number();
                case "targetPort" -> target = in.target();
                default -> nodePort = in.number();
            }
        }
        return new RawServicePort(name, protocol, port, nodePort, target);
    }
}
