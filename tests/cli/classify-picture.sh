# Six baselines and one before the first step for each of three reports; the words are printed too.
cd "$TESTDATA/memory-report"
"$MLVIZ" classify -o "$OLDPWD/a.svg" alpha-batch4.json beta.json gamma.json | grep confidence
"$MLVIZ" classify -q --size 1200x420 --theme dark -o "$OLDPWD/a.png" gamma.json | sed -n 2p
exits 2 "$MLVIZ" classify -q --size 600x100 -o "$OLDPWD/b.svg" gamma.json >"$OLDPWD/out"
cd "$OLDPWD"
test ! -e b.svg
grep -c '<circle' a.svg
grep -o '>\(activation\|persistent\|cumulative\|step [0-9-]*\|[^<]*optimizer state\)<' a.svg | sort | uniq -c
head -c 8 a.png | od -An -c
