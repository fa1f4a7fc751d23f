package io.dualstackd.agent.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the first process of an isolated host mounts, on a machine whose {@code /var/lib} the test makes up. */
@Tag("kernel")
final class IsolatedHostTest {
    @Test
    void nothingIsMadeInVarLib() throws Exception {
        assertThat(output(
                        "mkdir /var/lib/other && echo theirs > /var/lib/other/file",
                        "cat /var/lib/other/file; ls -A /var/lib/cni"))
                .isEqualTo("ready\ntheirs\nleft: other\n");
    }

    @Test
    void leavesOtherRuntimesAlone() throws Exception {
        assertThat(output("mkdir -p /var/lib/cni/networks", "ls -A /var/lib/cni; touch /var/lib/cni/ours"))
                .isEqualTo("ready\nleft: cni cni/networks\n");
    }

    /** The output of a shell on an isolated host whose {@code /var/lib} is empty but for what another shell put there. */
    private static String output(String before, String inside) throws Exception {
        Process shell = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "bash",
                        "-c",
                        """
                        mount -t tmpfs machine /var/lib && eval "$1" || exit 1
                        unshare --mount --propagation private bash -c "$2"
                        cd /var/lib && echo left: $(find . -mindepth 1 -type d -printf '%P\\n')
                        """,
                        "machine",
                        before,
                        IsolatedHost.FIRST_PROCESS + inside)
                .redirectErrorStream(true)
                .start();
        shell.getOutputStream().write('\n');
        shell.getOutputStream().close();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return output;
    }
}
