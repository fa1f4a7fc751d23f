package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServiceKey;
import java.util.function.Function;

/** Thrown when what the kernel should hold for one Service cannot be computed: a bug of dualstackd, which must not cost the other Services. */
public final class CompilationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ServiceKey service;
    private final RuntimeException bug;

    private CompilationException(ServiceKey service, RuntimeException cause) {
        super("the rules of " + service + " cannot be computed: " + cause, cause);
        this.service = service;
        this.bug = cause;
    }

    /**
     * Applies a pure function to a plan.
     *
     * @throws CompilationException when the function fails
     */
    public static <R> R compile(ServicePlan plan, Function<ServicePlan, R> compiler) {
        try {
            return compiler.apply(plan);
        } catch (RuntimeException e) {
            throw new CompilationException(plan.key(), e);
        }
    }

    public ServiceKey service() {
        return service;
    }

    /** What the function threw. */
    public RuntimeException bug() {
        return bug;
    }
}
