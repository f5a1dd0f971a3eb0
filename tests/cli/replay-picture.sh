# A picture of the replay, and its words beside it; what cannot be drawn leaves no file.
cp "$SAMPLES/oom-3.6-native.pickle.zst" "$SAMPLES/train-adamw.pickle.zst" .
"$MLVIZ" replay -o a.svg --conf expandable_segments:True oom-3.6-native.pickle.zst | tail -1
"$MLVIZ" replay -o b.png --theme dark --size 1200x700 train-adamw.pickle.zst | head -1
grep -o '<text [^>]*>[^<]*out of memory[^<]*<' a.svg | sed 's/.*>\(.*\)</\1/' | head -1
head -c 4 b.png | tail -c 3
echo
# The segments where the request failed: its size to scale, and the largest free block, as
# `mlviz replay` tells them.
"$MLVIZ" replay --at oom -o map.svg oom-3.6-native.pickle.zst >out
grep -o '>[^<]*could not be had[^<]*<\|>largest free: [^<]*<' map.svg
# Of a what-if that fails before the moment, where it ends.
"$MLVIZ" replay --at end --color state --conf expandable_segments:True --limit 3.2GiB -o end.svg \
	oom-3.6-native.pickle.zst >out
grep -o '>Segments after[^<]*<\|>largest free: [^<]*<' end.svg
# What a browser shows of a block
grep -m 1 -A 3 '<title>116.2 MiB block' map.svg | sed 's/.*<title>//; s/<\/title>.*//'
exits 2 "$MLVIZ" replay --at oom -o c.svg train-adamw.pickle.zst >out
exits 2 "$MLVIZ" replay -o c.svg --size 300x200 train-adamw.pickle.zst >out
test ! -e c.svg
