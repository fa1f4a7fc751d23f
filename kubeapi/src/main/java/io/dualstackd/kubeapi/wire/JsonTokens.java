package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;

/** A decoder of JSON that gets its words as bytes come. */
abstract class JsonTokens extends BufferedDecoder {
    private static final int MAX_DEPTH = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(ByteAccumulator.MAX)
                    .build())
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    private final JsonParser parser;
    private final ByteArrayFeeder feeder;
    /** Bytes of the answer that were fed. */
    private long position;
    /** Position when the object began that is being read; only this far back anything is in memory. */
    private long objectStart;

    JsonTokens() {
        try {
            parser = JSON.createNonBlockingByteArrayParser();
            feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException e) {
            throw new IllegalStateException("a parser of UTF-8 always exists", e);
        }
    }

    /** One word; the parser stands at it. */
    abstract void token(JsonToken token, JsonParser parser) throws IOException, WireException;

    /** An object begins, or one is over. */
    final void objectBoundary() {
        objectStart = parser.currentLocation().getByteOffset();
    }

    @Override
    final void feed(byte[] bytes, int at, int length) throws WireException {
        position += length;
        try {
            feeder.feedInput(bytes, at, at + length);
            drain();
        } catch (IOException e) {
            throw wrong(e);
        }
        ByteAccumulator.check(position - objectStart, objectStart);
    }

    private void drain() throws IOException, WireException {
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.NOT_AVAILABLE;
                token = parser.nextToken()) {
            token(token, parser);
        }
    }

    /** There are no more bytes: words that were waiting for one are complete. */
    final void finish() throws WireException {
        feeder.endOfInput();
        try {
            drain();
        } catch (IOException e) {
            throw wrong(e);
        }
    }

    final WireException wrong(String rule) {
        return WireException.at(parser.currentLocation().getByteOffset(), rule);
    }

    private WireException wrong(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return wrong("not JSON: " + (end < 0 ? message : message.substring(0, end)));
    }
}
