import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Replaces calls that the JVM links when they are first made by calls of static methods of the same class: switches over types, equals and
 * hashCode of records, and the concatenation of strings. Their linkage is not kept in an ahead-of-time cache, makes hidden classes, and
 * results in chains of method handles, which the first compiler does not see through. The methods do what the JDK documents for
 * {@code SwitchBootstraps}, {@code ObjectMethods} and {@code StringConcatFactory}.
 */
final class DirectCalls extends ClassVisitor {
    private static final String SWITCHES = "java/lang/runtime/SwitchBootstraps";
    private static final String RECORDS = "java/lang/runtime/ObjectMethods";
    private static final String STRINGS = "java/lang/invoke/StringConcatFactory";
    private static final String BUILDER = "java/lang/StringBuilder";
    /** In a recipe, where an argument goes, and where a constant goes. */
    private static final char ARGUMENT = '\1';

    private static final char CONSTANT = '\2';

    /** A method to be added to the class. */
    private interface Body {
        void write(MethodVisitor method);
    }

    private record Helper(String name, String descriptor, Body body) {}

    /** What makes two calls the same. */
    private record Call(String name, String descriptor, Handle bootstrap, List<Object> arguments) {}

    private final Map<Call, Helper> helpers = new HashMap<>();
    private final List<Helper> inOrder = new ArrayList<>();
    private String owner = "";
    private boolean isInterface;

    DirectCalls(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        owner = name;
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
        super.visit(version, access, name, signature, parent, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(
                Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            @Override
            public void visitInvokeDynamicInsn(
                    String call, String callDescriptor, Handle bootstrap, Object... arguments) {
                Call what = new Call(call, callDescriptor, bootstrap, List.of(arguments));
                Helper helper = helpers.computeIfAbsent(what, DirectCalls.this::helper);
                if (helper == null) {
                    super.visitInvokeDynamicInsn(call, callDescriptor, bootstrap, arguments);
                } else {
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC, owner, helper.name(), helper.descriptor(), isInterface);
                }
            }
        };
    }

    /** Returns null for other calls. */
    private Helper helper(Call call) {
        Body body = switch (call.bootstrap().getOwner() + "." + call.name()) {
            case SWITCHES + ".typeSwitch" -> typeSwitch(call.arguments());
            case RECORDS + ".equals" -> method -> recordEquals(method, components(call));
            case RECORDS + ".hashCode" -> method -> recordHash(method, components(call));
            case STRINGS + ".makeConcatWithConstants" ->
                method -> concatenation(method, Type.getArgumentTypes(call.descriptor()), call.arguments());
            default -> null;
        };
        if (body == null) {
            return null;
        }
        Helper helper = new Helper(call.name() + "$" + inOrder.size(), call.descriptor(), body);
        inOrder.add(helper);
        return helper;
    }

    @Override
    public void visitEnd() {
        for (Helper helper : inOrder) {
            MethodVisitor method = super.visitMethod(
                    Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                    helper.name(),
                    helper.descriptor(),
                    null,
                    null);
            method.visitCode();
            helper.body().write(method);
            // The writer computes them.
            method.visitMaxs(0, 0);
            method.visitEnd();
        }
        super.visitEnd();
    }

    /** The index of the first label, from a given one on, that fits: -1 for null, and one more than the last if none does. */
    private static Body typeSwitch(List<Object> labels) {
        if (!labels.stream().allMatch(Type.class::isInstance)) {
            return null;
        }
        return method -> {
            Label there = new Label();
            method.visitVarInsn(Opcodes.ALOAD, 0);
            method.visitJumpInsn(Opcodes.IFNONNULL, there);
            method.visitInsn(Opcodes.ICONST_M1);
            method.visitInsn(Opcodes.IRETURN);
            frame(method, there);
            for (int index = 0; index < labels.size(); index++) {
                Label next = new Label();
                method.visitVarInsn(Opcodes.ILOAD, 1);
                method.visitIntInsn(Opcodes.SIPUSH, index);
                method.visitJumpInsn(Opcodes.IF_ICMPGT, next);
                method.visitVarInsn(Opcodes.ALOAD, 0);
                method.visitTypeInsn(Opcodes.INSTANCEOF, ((Type) labels.get(index)).getInternalName());
                method.visitJumpInsn(Opcodes.IFEQ, next);
                method.visitIntInsn(Opcodes.SIPUSH, index);
                method.visitInsn(Opcodes.IRETURN);
                frame(method, next);
            }
            method.visitIntInsn(Opcodes.SIPUSH, labels.size());
            method.visitInsn(Opcodes.IRETURN);
        };
    }

    private static void frame(MethodVisitor method, Label label) {
        method.visitLabel(label);
        method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }

    /** The fields that are compared; the arguments before them are the class and their names. */
    private static List<Handle> components(Call call) {
        return call.arguments().stream()
                .filter(Handle.class::isInstance)
                .map(Handle.class::cast)
                .toList();
    }

    private void recordEquals(MethodVisitor method, List<Handle> components) {
        Label other = new Label();
        Label same = new Label();
        Label different = new Label();
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitJumpInsn(Opcodes.IF_ACMPNE, other);
        method.visitInsn(Opcodes.ICONST_1);
        method.visitInsn(Opcodes.IRETURN);
        frame(method, other);
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitTypeInsn(Opcodes.INSTANCEOF, owner);
        method.visitJumpInsn(Opcodes.IFNE, same);
        method.visitInsn(Opcodes.ICONST_0);
        method.visitInsn(Opcodes.IRETURN);
        frame(method, same);
        for (Handle component : components) {
            method.visitVarInsn(Opcodes.ALOAD, 0);
            method.visitFieldInsn(Opcodes.GETFIELD, owner, component.getName(), component.getDesc());
            method.visitVarInsn(Opcodes.ALOAD, 1);
            method.visitTypeInsn(Opcodes.CHECKCAST, owner);
            method.visitFieldInsn(Opcodes.GETFIELD, owner, component.getName(), component.getDesc());
            differs(method, Type.getType(component.getDesc()), different);
        }
        method.visitInsn(Opcodes.ICONST_1);
        method.visitInsn(Opcodes.IRETURN);
        if (!components.isEmpty()) {
            frame(method, different);
            method.visitInsn(Opcodes.ICONST_0);
            method.visitInsn(Opcodes.IRETURN);
        }
    }

    private static void differs(MethodVisitor method, Type type, Label different) {
        switch (type.getSort()) {
            case Type.OBJECT, Type.ARRAY -> {
                method.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/util/Objects",
                        "equals",
                        "(Ljava/lang/Object;Ljava/lang/Object;)Z",
                        false);
                method.visitJumpInsn(Opcodes.IFEQ, different);
            }
            case Type.LONG -> {
                method.visitInsn(Opcodes.LCMP);
                method.visitJumpInsn(Opcodes.IFNE, different);
            }
            case Type.DOUBLE, Type.FLOAT -> {
                method.visitMethodInsn(
                        Opcodes.INVOKESTATIC, box(type), "compare", "(" + type + type + ")I", false);
                method.visitJumpInsn(Opcodes.IFNE, different);
            }
            default -> method.visitJumpInsn(Opcodes.IF_ICMPNE, different);
        }
    }

    private void recordHash(MethodVisitor method, List<Handle> components) {
        method.visitInsn(Opcodes.ICONST_0);
        for (Handle component : components) {
            method.visitIntInsn(Opcodes.BIPUSH, 31);
            method.visitInsn(Opcodes.IMUL);
            method.visitVarInsn(Opcodes.ALOAD, 0);
            method.visitFieldInsn(Opcodes.GETFIELD, owner, component.getName(), component.getDesc());
            Type type = Type.getType(component.getDesc());
            boolean reference = type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
            method.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    reference ? "java/util/Objects" : box(type),
                    "hashCode",
                    reference ? "(Ljava/lang/Object;)I" : "(" + type + ")I",
                    false);
            method.visitInsn(Opcodes.IADD);
        }
        method.visitInsn(Opcodes.IRETURN);
    }

    private static String box(Type primitive) {
        return switch (primitive.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.CHAR -> "java/lang/Character";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }

    /** @param recipe the text, with marks for arguments and constants; then the constants */
    private static void concatenation(MethodVisitor method, Type[] types, List<Object> recipe) {
        method.visitTypeInsn(Opcodes.NEW, BUILDER);
        method.visitInsn(Opcodes.DUP);
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, BUILDER, "<init>", "()V", false);
        int argument = 0;
        int slot = 0;
        int constant = 1;
        StringBuilder text = new StringBuilder();
        for (char c : ((String) recipe.getFirst()).toCharArray()) {
            if (c == ARGUMENT) {
                append(method, text);
                Type type = types[argument++];
                method.visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
                slot += type.getSize();
                append(method, type);
            } else if (c == CONSTANT) {
                text.append(recipe.get(constant++));
            } else {
                text.append(c);
            }
        }
        append(method, text);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BUILDER, "toString", "()Ljava/lang/String;", false);
        method.visitInsn(Opcodes.ARETURN);
    }

    private static void append(MethodVisitor method, StringBuilder text) {
        if (!text.isEmpty()) {
            method.visitLdcInsn(text.toString());
            append(method, Type.getType(String.class));
            text.setLength(0);
        }
    }

    private static void append(MethodVisitor method, Type type) {
        String as = switch (type.getSort()) {
            case Type.OBJECT -> type.getClassName().equals("java.lang.String") ? type.getDescriptor() : "Ljava/lang/Object;";
            case Type.ARRAY -> "Ljava/lang/Object;";
            case Type.BYTE, Type.SHORT -> "I";
            default -> type.getDescriptor();
        };
        method.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, BUILDER, "append", "(" + as + ")Ljava/lang/StringBuilder;", false);
    }
}
