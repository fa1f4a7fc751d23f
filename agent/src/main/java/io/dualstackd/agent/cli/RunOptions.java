package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.Choices;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.SettingGroup;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of {@code run}, in groups. */
final class RunOptions {
    static final String CONFIG = "--config";
    static final String OWN_CONFIG = "--dualstackd-config";
    static final String KUBEADM_CONFIG = "--kubeadm-config";
    static final String WRITE_CONFIG_TO = "--write-config-to";
    static final String CLEANUP = "--cleanup";
    static final String INIT_ONLY = "--init-only";
    private static final Set<String> FILES_AND_ACTIONS =
            Set.of(CONFIG, OWN_CONFIG, KUBEADM_CONFIG, WRITE_CONFIG_TO, CLEANUP, INIT_ONLY);

    /** In the help, the values of a switch. */
    static final String SWITCH = "true|false";

    private RunOptions() {}

    static CommandSpec spec(CommandSpec spec, String version) {
        spec.version("dualstackd " + version);
        spec.parser().overwrittenOptionsAllowed(true);
        ArgGroupSpec.Builder files = group("Files, and actions other than running");
        files.addArg(path(
                CONFIG,
                "Configuration file of kube-proxy (KubeProxyConfiguration), which may have a section"
                        + " dualstackd. With it, flags that kube-proxy also has are ignored, except --hostname-override,"
                        + " --master and those of logging."));
        files.addArg(path(
                OWN_CONFIG,
                "Configuration file of dualstackd's own settings (DualstackdConfiguration: the keys of that"
                        + " section); it overrides the section, and flags override it."));
        files.addArg(path(
                KUBEADM_CONFIG,
                "kubeadm's ClusterConfiguration: its networks, DNS domain and feature gates are used where neither flags nor"
                        + " other files set them; a warning names everything else in it, which is ignored."));
        files.addArg(path(
                WRITE_CONFIG_TO,
                "Write the configuration, including defaults, to this file, or for - to standard output, and exit."));
        files.addArg(truth(CLEANUP, "Remove all rules, as 'dualstackd cleanup' does, and exit."));
        files.addArg(truth(
                INIT_ONLY,
                "Change the kernel settings and exit; afterwards CAP_NET_ADMIN is enough to run. Rules are not"
                        + " touched."));
        files.addArg(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build());
        spec.addArgGroup(files.build());
        for (SettingGroup settingGroup : SettingGroup.values()) {
            ArgGroupSpec.Builder builder = group(settingGroup.title());
            Stream.of(Key.values())
                    .filter(key -> key.settingGroup() == settingGroup)
                    .forEach(key -> builder.addArg(option(key)));
            spec.addArgGroup(builder.build());
        }
        return spec;
    }

    /**
     * The argument with {@code -} for each {@code _} in the name of a flag, as kube-proxy reads them, and with {@code =true} if it is a switch
     * without a value: a switch does not take the argument after it.
     */
    static String explicit(String argument) {
        String written = argument.replaceFirst("(?s)=.*", "");
        String flag = written.replace('_', '-');
        boolean isFlag = FILES_AND_ACTIONS.contains(flag)
                || Stream.of(Key.values()).anyMatch(key -> key.flags().contains(flag));
        String named = isFlag ? flag + argument.substring(written.length()) : argument;
        boolean isSwitch = named.equals(CLEANUP)
                || named.equals(INIT_ONLY)
                || Stream.of(Key.values())
                        .anyMatch(key -> key.isSwitch() && key.flags().contains(named));
        return isSwitch ? named + "=true" : named;
    }

    private static ArgGroupSpec.Builder group(String title) {
        return ArgGroupSpec.builder()
                .validate(false)
                .exclusive(false)
                .multiplicity("0..1")
                .heading("%n" + title + ":%n");
    }

    private static OptionSpec path(String flag, String description) {
        return OptionSpec.builder(flag)
                .paramLabel("FILE")
                .type(String.class)
                .description(description)
                .build();
    }

    private static OptionSpec truth(String flag, String description) {
        return bool(OptionSpec.builder(flag).type(String.class).description(description));
    }

    private static OptionSpec option(Key key) {
        String fallback = key.fallback().isEmpty() ? "" : " Default: " + key.fallback() + ".";
        OptionSpec.Builder option = OptionSpec.builder(key.flags().toArray(String[]::new))
                .type(String.class)
                .completionCandidates(Choices.of(key))
                // picocli would interpret % as a variable
                .description(key.help().replace("%", "%%") + fallback);
        return key.isSwitch()
                ? bool(option)
                : option.arity("1").paramLabel(key.parameter()).build();
    }

    private static OptionSpec bool(OptionSpec.Builder option) {
        return option.arity("0..1").fallbackValue("true").paramLabel(SWITCH).build();
    }
}
