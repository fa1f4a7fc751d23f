package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are reported. */
final class ResourceFailureTest {
    private static Optional<String> reported(int code, WireFormat format) {
        return ResourceFailure.of(
                        Resource.services(),
                        ListWatchRequest.Page.FIRST,
                        format,
                        new WatchOutcome.Refused(ApiStatus.of(code), Duration.ZERO))
                .map(ResourceFailure::what);
    }

    @ParameterizedTest
    @ValueSource(ints = {406, 415})
    void aServerThatTakesNeitherEncodingIsReported(int code) {
        assertThat(reported(code, WireFormat.PROTOBUF)).isEmpty();
        assertThat(reported(code, WireFormat.JSON)).contains("the server refuses to list services (" + code + ")");
    }
}
