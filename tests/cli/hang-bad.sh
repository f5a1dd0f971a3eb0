# What cannot be read, is damaged or has no rank does not keep the rest from being told.
cp "$TESTDATA/fr-dump/"fr_? .
head -c 900 fr_2 >cut_2
: >empty_5
cp fr_3 dump
exits 3 "$MLVIZ" hang fr_0 fr_1 empty_5
"$MLVIZ" hang fr_0 fr_1 cut_2 dump
# The same rank twice counts once.
mkdir copy
cp fr_1 copy/trace_1
"$MLVIZ" hang -v fr_0 fr_1 copy/trace_1 fr_2 fr_3 | head -2
exits 2 "$MLVIZ" hang --fail-on sometimes fr_0
# Calls of no rank are nobody's: not where they are all there is, nor among those of others.
"$MLVIZ" hang dump
"$MLVIZ" hang --json fr_0 fr_1 >two
"$MLVIZ" hang --json dump fr_0 fr_1 | diff two - && echo same verdict
"$MLVIZ" report dump
