package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NameSwapTest {
    @TempDir
    private Path folder;

    @Test
    void eachHasTheNameOfTheOther() throws IOException {
        Path one = Files.writeString(folder.resolve("one é"), "1");
        Path other = Files.writeString(folder.resolve("other"), "2");
        assertThat(NameSwap.swap(one, other)).isTrue();
        assertThat(one).content().isEqualTo("2");
        assertThat(other).content().isEqualTo("1");
    }

    @Test
    void bothMustBeThere() throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "1");
        assertThatThrownBy(() -> NameSwap.swap(one, folder.resolve("none")))
                .isInstanceOf(SysException.class)
                .hasMessageContaining("none")
                .hasMessageContaining("ENOENT");
        assertThat(one).content().isEqualTo("1");
    }
}
