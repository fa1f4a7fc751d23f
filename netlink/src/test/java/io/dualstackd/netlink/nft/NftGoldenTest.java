package io.dualstackd.netlink.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlHex;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages as the kernel sent them, and as we write them. */
class NftGoldenTest {
    private static final int HEADERS = 16 + 4;

    static List<NlHex> messages() {
        return NlHex.all("nft");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void printsAsExpected(NlHex golden) throws DecodeException {
        String printed = NftCodecs.of(golden).read(golden.received()).toString();
        assertThat(printed.lines().map(String::strip).collect(Collectors.joining("\n")))
                .isEqualTo(golden.prints());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void writesWhatItRead(NlHex golden) throws DecodeException {
        NftCodecs<?> codec = NftCodecs.of(golden);
        if (codec.given().contains(1)) {
            return;
        }
        Set<String> given = codec.given().stream().map(number -> "/" + number).collect(Collectors.toSet());
        assertThat(Tree.differences(content(codec.rewrite(golden.received())), content(golden.received()), ""))
                .filteredOn(path -> !given.contains(path))
                .allSatisfy(path -> assertThat(DIFFERENT_INSIDE).contains(path));
    }

    /**
     * The timeout of zero and the flag of several expressions in {@code dynset}, which the kernel adds and hides; what is left of an
     * element's life.
     */
    private static final List<String> DIFFERENT_INSIDE = List.of("/4/1/2/6", "/4/1/2/9", "/3/1/5");

    @ParameterizedTest
    @MethodSource("messages")
    void everyCutOffMessageIsRefused(NlHex golden) {
        byte[] bytes = golden.message().toArray();
        for (int length = 1; length < bytes.length; length++) {
            int end = length;
            assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> NlMessage.split(bytes, end));
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyCutOffBodyIsReadOrRefused(NlHex golden) throws DecodeException {
        byte[] bytes = golden.message().toArray();
        int refused = 0;
        for (int length = 16; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            cut[0] = (byte) length;
            cut[1] = (byte) (length >> 8);
            NlMessage message = NlMessage.split(cut, length).getFirst();
            try {
                assertThat(NftCodecs.of(golden).read(message)).isNotNull();
            } catch (DecodeException expected) {
                assertThat(expected).hasMessageContaining("NFT");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan((bytes.length - HEADERS) / 2);
    }

    @Test
    void everyExpressionIsAmongThem() throws DecodeException {
        Set<Class<?>> seen = new HashSet<>();
        for (NftExpr expression : expressions()) {
            seen.add(expression.getClass());
        }
        assertThat(seen).containsExactlyInAnyOrder(NftExpr.class.getPermittedSubclasses());
    }

    @Test
    void everyVerdictIsAmongThem() throws DecodeException {
        Set<Class<?>> seen = new HashSet<>();
        for (NftExpr expression : expressions()) {
            if (expression instanceof VerdictExpr(Verdict verdict)) {
                seen.add(verdict.getClass());
            }
        }
        for (NftElement element : elements()) {
            if (element.data() instanceof MapData.Does(Verdict verdict)) {
                seen.add(verdict.getClass());
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(Verdict.class.getPermittedSubclasses());
    }

    @Test
    void everyKindOfMapDataIsAmongThem() throws DecodeException {
        assertThat(elements())
                .extracting(element -> (Object) element.data().getClass())
                .contains((Object[]) MapData.class.getPermittedSubclasses());
    }

    @Test
    void everyCodecHasGoldens() {
        assertThat(messages().stream().map(NlHex::decode).collect(Collectors.toSet()))
                .isEqualTo(NftCodecs.BY_NAME.keySet());
    }

    private static List<NftExpr> expressions() throws DecodeException {
        List<NftExpr> all = new ArrayList<>();
        for (NlHex golden : messages()) {
            if (NftCodecs.of(golden).read(golden.received()) instanceof NftRule rule) {
                all.addAll(rule.expressions());
            }
        }
        return all;
    }

    private static List<NftElement> elements() throws DecodeException {
        List<NftElement> all = new ArrayList<>();
        for (NlHex golden : messages()) {
            if (NftCodecs.of(golden).read(golden.received()) instanceof ElementCodec.Listed listed) {
                all.addAll(listed.elements());
            }
        }
        return all;
    }

    private static Bytes content(NlMessage message) throws DecodeException {
        NlReader body = message.body("content");
        NfHeader.read(body);
        return body.rest();
    }
}
