package io.dualstackd.agent.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of {@code deploy/test/cluster} that have few options: copies that know nothing of a cluster of this machine. */
@Tag("kernel")
final class ClusterCommandsTest {
    private static final Path COMMANDS = Path.of("../deploy/test/cluster");
    private static final String STATE = "state=/run/dualstackd-cluster\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void copy() throws IOException {
        for (String command : List.of("down", "addresses")) {
            var _ = Files.copy(COMMANDS.resolve(command), folder.resolve(command));
        }
        String lib = Files.readString(COMMANDS.resolve("lib.sh"));
        assertThat(lib).contains(STATE);
        var _ = Files.writeString(folder.resolve("lib.sh"), lib.replace(STATE, "state=" + folder + "\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"down word", "down --quiet word", "down --quite", "addresses word"})
    void aWordThatACommandDoesNotKnowIsRefused(String line) throws Exception {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        String command = words.removeFirst();
        words.addFirst(folder.resolve(command).toString());
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(2);
        assertThat(output).isEqualTo(command + ": no option " + words.getLast() + "; see --help\n");
    }
}
