package io.dualstackd.bench.scale;

import java.util.List;

/** The usual program for the same work; it reads the text of a change, prepared beforehand, from its standard input. */
interface Rival {
    /** Measures a first load, from the start of the program to its end. */
    Span load() throws Exception;

    /** Measures a change in the same way. */
    Span change(List<ServiceTransition> transitions) throws Exception;
}
