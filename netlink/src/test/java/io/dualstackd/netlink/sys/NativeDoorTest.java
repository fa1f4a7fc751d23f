package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a user sees who starts java without the right flags; needs a JVM of its own. */
class NativeDoorTest {
    @Test
    void oneLineSaysWhatToDo() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).isZero();
        assertThat(output.lines().toList())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("cannot call libc from this JVM (")
                        .contains("--enable-native-access=ALL-UNNAMED")
                        .contains("-Djffi.boot.library.path=DIRECTORY"));
    }

    /** Tries twice: the second failure must read like the first. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws IOException {
            for (int i = 0; i < 2; i++) {
                try (NetNs ns = NetNs.current()) {
                    System.out.println("unexpected: " + ns);
                } catch (NativeDoorException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }
}
