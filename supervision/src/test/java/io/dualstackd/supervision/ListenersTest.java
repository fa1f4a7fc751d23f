package io.dualstackd.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListenersTest {
    private static Runnable failing(String why) {
        return () -> {
            throw new IllegalStateException(why);
        };
    }

    @Test
    void anExceptionKeepsNoneOfTheOthersBack() {
        List<String> called = new ArrayList<>();
        RuntimeException thrown = catchRuntimeException(() -> Listeners.callAll(List.of(
                () -> called.add("a"),
                failing("first"),
                () -> called.add("b"),
                failing("second"),
                () -> called.add("c"))));
        assertThat(called).containsExactly("a", "b", "c");
        assertThat(thrown).hasMessage("first").hasSuppressedException(new IllegalStateException("second"));
    }
}
