package io.dualstackd.cri;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.Locale;

/** Reads the facts out of compiled descriptors. */
final class DescriptorFacts {
    private final Facts facts = new Facts();

    static Facts of(Iterable<FileDescriptorProto> files) {
        DescriptorFacts reader = new DescriptorFacts();
        String scope = "";
        for (FileDescriptorProto file : files) {
            if (!file.getPackage().equals(scope)) {
                scope = file.getPackage();
                reader.facts.scope(scope);
            }
            reader.file(file);
        }
        return reader.facts;
    }

    private void file(FileDescriptorProto file) {
        file.getMessageTypeList().forEach(this::message);
        file.getEnumTypeList().forEach(this::enumeration);
        file.getServiceList()
                .forEach(s -> s.getMethodList()
                        .forEach(m -> facts.method(
                                s.getName(),
                                m.getName(),
                                simple(m.getInputType()),
                                m.getClientStreaming(),
                                simple(m.getOutputType()),
                                m.getServerStreaming())));
    }

    private void message(DescriptorProto message) {
        facts.message(message.getName());
        for (FieldDescriptorProto field : message.getFieldList()) {
            facts.field(message.getName(), field.getName(), field.getNumber(), type(message, field));
        }
        message.getEnumTypeList().forEach(this::enumeration);
        message.getNestedTypeList().stream()
                .filter(m -> !m.getOptions().getMapEntry())
                .forEach(this::message);
    }

    private void enumeration(EnumDescriptorProto enumeration) {
        enumeration.getValueList().forEach(v -> facts.value(enumeration.getName(), v.getName(), v.getNumber()));
    }

    private static String type(DescriptorProto message, FieldDescriptorProto field) {
        String type = bare(field);
        for (DescriptorProto nested : message.getNestedTypeList()) {
            if (nested.getOptions().getMapEntry() && nested.getName().equals(type)) {
                return "map<" + bare(nested.getField(0)) + ", " + bare(nested.getField(1)) + ">";
            }
        }
        String choice = field.hasOneofIndex() ? "oneof " : "";
        return choice + (field.getLabel() == FieldDescriptorProto.Label.LABEL_REPEATED ? "repeated " : "") + type;
    }

    private static String bare(FieldDescriptorProto field) {
        return field.getTypeName().isEmpty()
                ? field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT)
                : simple(field.getTypeName());
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
