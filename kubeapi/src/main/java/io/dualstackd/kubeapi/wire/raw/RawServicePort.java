package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.util.Optional;

/**
 * An entry of {@code spec.ports} of a Service, as read.
 *
 * @param targetName of {@code targetPort} when that is a name, else empty
 * @param targetNumber of {@code targetPort} when that is a number, else 0
 */
record RawServicePort(String name, String protocol, int port, int nodePort, String targetName, int targetNumber) {
    private static final int IS_STRING = 1;

    static RawServicePort proto(ProtoReader in) throws IOException {
        int outer = in.enter();
        String name = "";
        String protocol = "";
        int port = 0;
        int nodePort = 0;
        RawServicePort target = new RawServicePort("", "", 0, 0, "", 0);
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.SERVICE_PORT_NAME -> name = in.name();
                case ProtoTag.SERVICE_PORT_PROTOCOL -> protocol = in.name();
                case ProtoTag.SERVICE_PORT_PORT -> port = in.number();
                case ProtoTag.SERVICE_PORT_NODE_PORT -> nodePort = in.number();
                case ProtoTag.SERVICE_PORT_TARGET_PORT -> target = target(in);
                default -> in.skip();
            }
        }
        in.leave(outer);
        return new RawServicePort(name, protocol, port, nodePort, target.targetName, target.targetNumber);
    }

    private static RawServicePort target(ProtoReader in) throws IOException {
        int outer = in.enter();
        int type = 0;
        int number = 0;
        String text = "";
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.INT_OR_STRING_TYPE -> type = in.number();
                case ProtoTag.INT_OR_STRING_INT_VAL -> number = in.number();
                case ProtoTag.INT_OR_STRING_STR_VAL -> text = in.name();
                default -> in.skip();
            }
        }
        in.leave(outer);
        return type == IS_STRING
                ? new RawServicePort("", "", 0, 0, text, 0)
                : new RawServicePort("", "", 0, 0, "", number);
    }

    static RawServicePort json(Field port) {
        Optional<Field> target = port.field("targetPort");
        boolean named = target.filter(t -> t.tree().is(Tree.Type.TEXT)).isPresent();
        return new RawServicePort(
                port.textOrEmpty("name").intern(),
                port.textOrEmpty("protocol"),
                Texts.number(port, "port"),
                Texts.number(port, "nodePort"),
                named ? port.textOrEmpty("targetPort").intern() : "",
                named ? 0 : Texts.number(port, "targetPort"));
    }
}
