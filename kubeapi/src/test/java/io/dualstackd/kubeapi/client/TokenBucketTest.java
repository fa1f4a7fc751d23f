package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aBurstIsFreeThenItTakesTurns() {
        TokenBucket bucket = new TokenBucket(5, 10, 0);
        for (int i = 0; i < 10; i++) {
            assertThat(bucket.take(0)).isZero();
        }
        assertThat(bucket.take(0)).isEqualTo(SECOND / 5);
        assertThat(bucket.take(0)).isEqualTo(2 * SECOND / 5);
        assertThat(bucket.take(SECOND)).isZero();
    }

    @Test
    void restDoesNotSaveUpMoreThanABurst() {
        TokenBucket bucket = new TokenBucket(5, 2, 0);
        assertThat(bucket.take(3600 * SECOND)).isZero();
        assertThat(bucket.take(3600 * SECOND)).isZero();
        assertThat(bucket.take(3600 * SECOND)).isPositive();
    }

    @Test
    void zeroIsNoLimit() {
        TokenBucket bucket = new TokenBucket(0, 0, 0);
        for (int i = 0; i < 1000; i++) {
            assertThat(bucket.take(0)).isZero();
        }
    }
}
