package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.SettingGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The manual page is written by hand; this keeps it true. */
final class ManPageTest {
    private static String page() throws IOException {
        Path page = Path.of("../docs/man/dualstackd.8");
        return Files.readString(page).replace("\\-", "-").replace("\\(aq", "'").replaceAll("\\\\f[BIR]", "");
    }

    @Test
    void everySettingIsThereWithItsKeyAndDefault() throws IOException {
        String page = page();
        for (Key key : Key.values()) {
            assertThat(page).contains("\n" + String.join(", ", key.flags()) + (key.isSwitch() ? "[=" : "="));
            String fallback = key.fallback().isEmpty() ? "" : " Default: " + key.fallback() + ".";
            String where = key.path().isEmpty() ? "Only on the command line." : "In the file: " + key.path() + ".";
            assertThat(page).contains("\n" + key.help().replace("…", "...") + "\n" + where + fallback + "\n");
        }
    }

    @Test
    void everyGroupIsThere() throws IOException {
        for (SettingGroup settingGroup : SettingGroup.values()) {
            assertThat(page()).contains("\n.SS " + settingGroup.title() + "\n");
        }
    }

    @Test
    void everyExitCodeIsThere() throws IOException {
        for (ExitCode code : ExitCode.values()) {
            assertThat(page()).contains("\n" + code.number() + "\n" + code.meaning() + "\n");
        }
    }

    @Test
    void noLineIsMistakenForARequest() throws IOException {
        assertThat(page().lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|br|nf|fi|\\\\\").*"));
        assertThat(page().lines()).noneMatch(line -> line.startsWith("'"));
        assertThat(page().toLowerCase(Locale.ROOT)).contains(".sh name\ndualstackd - ");
    }
}
