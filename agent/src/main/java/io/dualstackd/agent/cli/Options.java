package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.Key;
import io.dualstackd.standalone.edit.FieldValidation;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Options that several commands share. */
final class Options {
    /** A namespace: a DNS label. */
    static final String NAMESPACE = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    /** The name of an object: a DNS subdomain, or an IP address. */
    static final String NAME = "[a-z0-9:]([a-z0-9:.-]{0,251}[a-z0-9:])?";

    private Options() {}

    /** The handling of unknown and duplicate fields. */
    static OptionSpec validate() {
        return OptionSpec.builder("--validate")
                .paramLabel("strict|warn|ignore")
                .type(String.class)
                .defaultValue("strict")
                .completionCandidates(List.of("strict", "warn", "ignore"))
                .description(
                        "How unknown and duplicate fields are treated: strict (an error), warn or ignore. true is strict, false"
                                + " is ignore. Default: strict.")
                .build();
    }

    /** The value of {@link #validate}. */
    static FieldValidation validation(ParseResult command) {
        String value = command.commandSpec().findOption("--validate").getValue();
        return FieldValidation.of(value)
                .orElseThrow(() ->
                        misuse(command, "--validate: \"" + value + "\": must be strict, warn, ignore, true or false"));
    }

    /** Whether a flag without a value is given; {@code --flag=false} is as if it were not. */
    static boolean isSet(ParseResult command, String flag) {
        return command.matchedOptionValue(flag, false);
    }

    /** The namespace that is given; empty when none is, or when all are wanted. */
    static Optional<String> oneNamespace(ParseResult command) {
        return command.hasMatchedOption("--namespace") && !isSet(command, "--all-namespaces")
                ? Optional.of(namespace(command))
                : Optional.empty();
    }

    static OptionSpec allNamespaces() {
        return OptionSpec.builder("-A", "--all-namespaces")
                .description("In all namespaces.")
                .build();
    }

    static OptionSpec selector() {
        return OptionSpec.builder("-l", "--selector")
                .paramLabel("SELECTOR")
                .type(String.class)
                .defaultValue("")
                .description("Only objects with these labels: app=web,tier!=db,zone in (a,b),!canary.")
                .build();
    }

    static OptionSpec socket() {
        return OptionSpec.builder(Key.ADMIN_SOCKET.flag())
                .paramLabel("PATH")
                .type(String.class)
                .defaultValue(Key.ADMIN_SOCKET.fallback())
                .description("Admin socket of the daemon. Default: ${DEFAULT-VALUE}.")
                .build();
    }

    /** The path of the socket; a command that asks the daemon needs one. */
    static String socket(ParseResult command) {
        String path = command.commandSpec().findOption(Key.ADMIN_SOCKET.flag()).getValue();
        if (path.isEmpty()) {
            throw misuse(command, Key.ADMIN_SOCKET.flag() + ": is empty: must be the path of the daemon's socket");
        }
        return path;
    }

    static OptionSpec state() {
        return OptionSpec.builder(Key.STATE_DIR.flag())
                .paramLabel("DIR")
                .type(String.class)
                .defaultValue(Key.STATE_DIR.fallback())
                .description(
                        "State directory of the daemon, with the kernel settings it changed; empty: they are not restored."
                                + " Default: ${DEFAULT-VALUE}.")
                .build();
    }

    static String state(ParseResult command) {
        return command.commandSpec().findOption(Key.STATE_DIR.flag()).getValue();
    }

    /** @param formats formats other than the default one */
    static OptionSpec output(List<String> formats, String otherwise) {
        return OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(String.class)
                .defaultValue("text")
                .completionCandidates(formats)
                .description(String.join(", ", formats) + "; without it " + otherwise + ".")
                .build();
    }

    static String output(ParseResult command, List<String> known) {
        String format = command.commandSpec().findOption("--output").getValue();
        if (!format.equals("text") && !known.contains(format)) {
            throw misuse(command, "--output: \"" + format + "\": must be " + String.join(", ", known));
        }
        return format;
    }

    static OptionSpec namespace() {
        return OptionSpec.builder("-n", "--namespace")
                .paramLabel("NS")
                .type(String.class)
                .defaultValue("default")
                .description("Namespace. Default: ${DEFAULT-VALUE}.")
                .build();
    }

    static String namespace(ParseResult command) {
        String namespace = command.commandSpec().findOption("--namespace").getValue();
        return requireNamespace(command, namespace);
    }

    /** Returns the name if it can be that of a namespace. */
    static String requireNamespace(ParseResult command, String name) {
        if (!name.matches(NAMESPACE)) {
            throw misuse(
                    command,
                    "namespace \"" + name + "\": must be a DNS label: at most 63 of a-z, 0-9 and -, not - at an end");
        }
        return name;
    }

    static PositionalParamSpec argument(int index, String label, boolean required, String description) {
        return argument(index, label, required, description, List.of());
    }

    static PositionalParamSpec argument(
            int index, String label, boolean required, String description, List<String> candidates) {
        return PositionalParamSpec.builder()
                .index(Integer.toString(index))
                .arity(required ? "1" : "0..1")
                .required(required)
                .paramLabel(label)
                .type(String.class)
                .completionCandidates(candidates)
                .description(description)
                .build();
    }

    /** This argument without a place of its own in the help: the label and description of the one before it include it. */
    static PositionalParamSpec hidden(PositionalParamSpec argument) {
        return argument.toBuilder().hidden(true).build();
    }

    /** The argument at this position; empty when it is not given. */
    static String given(ParseResult command, int index) {
        String value = command.commandSpec().positionalParameters().get(index).getValue();
        return value == null ? "" : value;
    }

    static ParameterException misuse(ParseResult command, String rule) {
        return new ParameterException(command.commandSpec().commandLine(), rule);
    }
}
