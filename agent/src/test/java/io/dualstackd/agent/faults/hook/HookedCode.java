package io.dualstackd.agent.faults.hook;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/** Code that calls {@link Hooks}. */
final class HookedCode implements CodeTransform {
    private static final ClassDesc HOOKS = ClassDesc.of(Hooks.class.getName());
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

    /** Static methods without parameters, by owner and name, and what is called instead. */
    private static final Map<String, String> CLOCKS = Map.of(
            "java/lang/System.currentTimeMillis", "currentTimeMillis",
            "java/time/Instant.now", "now",
            "java/time/Clock.systemUTC", "systemUtc",
            "java/time/InstantSource.system", "system");

    @Override
    public void atStart(CodeBuilder code) {
        code.invokestatic(HOOKS, "enter", NOTHING);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call
                && call.opcode() == Opcode.INVOKESTATIC
                && call.typeSymbol().parameterCount() == 0) {
            String clock =
                    CLOCKS.get(call.owner().asInternalName() + "." + call.name().stringValue());
            if (clock != null) {
                code.invokestatic(HOOKS, clock, call.typeSymbol());
                return;
            }
        }
        code.with(element);
    }
}
