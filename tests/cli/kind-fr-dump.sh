# Counts, bytes (the product of the sizes times 4), and times from creation to completion were summed
# from the pickles with Python; so was the status of the group. Rank 0 reduces 2^22 elements, the others 4.
cp -r "$TESTDATA/fr-dump" .
"$MLVIZ" info fr-dump
"$MLVIZ" top fr-dump
"$MLVIZ" top --by count --top 1 fr-dump/fr_3
"$MLVIZ" top --grep barrier fr-dump/fr_0
"$MLVIZ" timeline fr-dump
"$MLVIZ" show --span 4 fr-dump/fr_0
