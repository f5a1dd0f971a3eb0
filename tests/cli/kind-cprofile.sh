# The rows of the texts are printed first. The binary profile was written with Python's marshal: step is
# called 3 times from the module and twice by itself, and calls sum 6 times for 1.25 s.
cp "$TESTDATA"/cprofile/* .
sed -n 1,8p functions.txt
sed -n 6,11p callers.txt
"$MLVIZ" info callers.txt functions.txt small.prof
"$MLVIZ" top --top 2 functions.txt
"$MLVIZ" top --by ncalls --grep method --top 2 functions.txt
"$MLVIZ" top callers.txt
"$MLVIZ" top small.prof
"$MLVIZ" top --by cumtime --top 1 --grep step small.prof
"$MLVIZ" timeline functions.txt
