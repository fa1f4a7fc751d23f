package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are reported. */
final class ResourceFailureTest {
    private static Optional<String> reported(int code, WireFormat format) {
        return reported(code, format, ListWatchRequest.Page.FIRST);
    }

    private static Optional<String> reported(int code, WireFormat format, ListWatchRequest listWatchRequest) {
        return ResourceFailure.of(
                        Resource.services(),
                        listWatchRequest,
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

    /** A version or a token expires; the newest list has neither. So answers a balancer whose servers were taken away. */
    @Test
    void onlyWhatHasAVersionExpiresInSilence() {
        for (ListWatchRequest old : List.of(
                new ListWatchRequest.Watch("7"),
                ListWatchRequest.Page.FIRST,
                ListWatchRequest.Page.since("7"),
                new ListWatchRequest.Page(Optional.of("token"), false, ""))) {
            assertThat(reported(410, WireFormat.JSON, old)).isEmpty();
        }
        assertThat(reported(410, WireFormat.JSON, ListWatchRequest.Page.NEWEST))
                .contains("the server refuses to list services (410)");
        assertThat(reported(410, WireFormat.JSON, new ListWatchRequest.StreamedList()))
                .contains("the server refuses to watch services (410)");
    }

    /** While all resources are refused, a restart would not help. */
    @Test
    void onlyAServerThatAnswersOtherRequestsIsTakenForOneOfAnotherVersion() {
        assertThat(next(new WatchOutcome.Refused(ApiStatus.of(404), Duration.ZERO)))
                .startsWith("has the server another version now?");
        assertThat(next(new WatchOutcome.Undecided(ApiStatus.of(404))))
                .isEqualTo("is this a Kubernetes API server? check the server's URL");
    }

    private static String next(WatchOutcome watchOutcome) {
        return ResourceFailure.of(Resource.serviceCidrs(), ListWatchRequest.Page.NEWEST, WireFormat.JSON, watchOutcome)
                .orElseThrow()
                .next();
    }
}
