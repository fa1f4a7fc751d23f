package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void printsNameNumberAndMeaning() {
        assertThat(Errno.ENOENT).hasToString("ENOENT (2) No such file or directory");
        assertThat(Errno.ERESTART).hasToString("ERESTART (85) Interrupted system call should be restarted");
    }

    @Test
    void printsUnknownNumbers() {
        assertThat(new Errno(4000)).hasToString("errno-4000 (4000) unknown error");
    }

    @Test
    void refusesNumbersThatAreNoErrors() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Errno(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Errno(-2));
    }
}
