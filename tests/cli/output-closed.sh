# Closed standard streams: no file takes their place.
"$MLVIZ" formats >want
exits 5 "$MLVIZ" formats >&-
"$MLVIZ" formats -o file <&- >&- 2>&-
cmp want file
