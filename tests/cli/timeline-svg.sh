# What the SVG says, that it is well-formed, and that it is the same every time.
cp "$SAMPLES/oom-3.6-native.pickle.zst" .
"$MLVIZ" timeline oom-3.6-native.pickle.zst -o - >stdout.svg
"$MLVIZ" timeline oom-3.6-native.pickle.zst -o file.svg
"$MLVIZ" timeline - -o stdin.svg --title oom-3.6-native.pickle.zst <oom-3.6-native.pickle.zst
cmp stdout.svg file.svg
cmp stdin.svg file.svg
ls *.svg
head -c 5 file.svg
echo
tail -n 1 file.svg
if command -v xmllint >/dev/null; then
	xmllint --noout file.svg
fi
# Its text: heading, axes, marks, and the largest of the legend.
sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' file.svg | head -n 36
# What shows when resting on an allocation, and on a band of small ones
sed -n '/<title>24.0 MiB (/,/<\/title>/p' file.svg | sed 's/.*<title>//' | head -n 4
grep -m 1 -A 1 '<title>mlp ' file.svg | sed 's/.*<title>//; s/<\/title>.*//'
