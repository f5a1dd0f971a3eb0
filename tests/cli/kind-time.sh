# The reports are printed first.
cp "$TESTDATA"/gnu-time/*.txt "$TESTDATA"/shell-time/*.txt "$TESTDATA"/bsd-time/*.txt .
cat verbose.txt default.txt format.txt bash.txt macos.txt
"$MLVIZ" info verbose.txt default.txt bash.txt macos.txt
"$MLVIZ" top verbose.txt default.txt bash.txt macos.txt
"$MLVIZ" top --time-format '%e %M %x' format.txt
"$MLVIZ" top --by 'Maximum resident' verbose.txt
"$MLVIZ" timeline verbose.txt
"$MLVIZ" show --line 1 verbose.txt
