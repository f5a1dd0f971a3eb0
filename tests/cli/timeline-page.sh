# The page holds every allocation: its columns are decoded here by other means than its own, and
# replayed. Peaks and ends must be those that `timeline --json` tells.
cat >replay.py <<'END'
import base64, json, re, sys, zlib
html = open(sys.argv[1], encoding="utf-8").read()
# The name of SVG's elements looks like an address and is none.
addresses = set(re.findall(r"https?://[^\"'<> ]*", html)) - {"http://www.w3.org/2000/svg"}
print("asks for nothing:", "default-src 'none'" in html and not addresses)
for block in re.findall(r'data-kind="memory"[^>]*>([^<]*)<', html):
    data = zlib.decompress(base64.b64decode(block), -15)
    size = int.from_bytes(data[:4], "little")
    head, cols = json.loads(data[4 : 4 + size]), {}
    for c in head["columns"]:
        at, last, out = 4 + size + c["at"], 0, []
        for _ in range(c["rows"]):
            code = shift = 0
            while True:
                code |= (data[at] & 127) << shift
                shift, at = shift + 7, at + 1
                if data[at - 1] < 128:
                    break
            last += -((code + 1) >> 1) if code & 1 else code >> 1
            out.append(last % 2**32 if c["kind"] == "u32" else last)
        cols[c["name"]] = out
    n, events, meta = len(cols["size"]), head["meta"]["events"], head["meta"]
    change = [0] * (events + 1)
    old = n - len(cols["born"])
    for i in range(n):
        born = 0 if i < old else cols["born"][i - old]
        asked = born + cols["asked"][i] - 1 if cols["asked"][i] else born
        change[born if i >= old else events] += cols["size"][i]
        if cols["ended"][i]:
            change[asked + cols["ended"][i] - 1] -= cols["size"][i]
    sums = [change[events]]
    for e in range(events):
        sums.append(sums[-1] + change[e])
    peak = max(sums)
    print(meta["title"], n, "allocations,", old, "older,", events, "events")
    print("peak", peak, "after", sums.index(peak) - 1, "end", sums[-1])
    print(meta["completeness"][:40], meta["requested"])
    print("classes", *[(k, len(meta[k]["names"])) for k in ("site", "lifetime", "stream", "pool", "size")])
    deepest = max(range(len(cols["node_frame"])), default=None, key=lambda i: cols["node_caller"][i])
    if deepest is not None:
        f = cols["node_frame"][deepest]
        print("a frame:", meta["texts"][cols["frame_function"][f]], cols["frame_line"][f])
    if "time" in cols:
        print("times", len(cols["time"]), "unit", meta["time_unit"], "last", cols["time"][-1])
END
for name in train-adamw oom-3.6-native leak-graph; do
	"$MLVIZ" timeline -o page.html "$SAMPLES/$name.pickle.zst"
	python3 replay.py page.html
	"$MLVIZ" timeline --json "$SAMPLES/$name.pickle.zst" -o plot.svg | grep -e requested_ -e '"events"'
done
echo "== several inputs, one page"
"$MLVIZ" timeline --title 'A <b> & "c"' -o page.html "$SAMPLES/train-adamw.pickle.zst" "$SAMPLES/leak-graph.pickle.zst"
python3 replay.py page.html | grep allocations
grep -o '<title>.*</title>' page.html
echo "== the same input gives the same bytes"
"$MLVIZ" timeline -o a.html "$SAMPLES/train-adamw.pickle.zst"
"$MLVIZ" timeline -o b.html "$SAMPLES/train-adamw.pickle.zst"
cmp a.html b.html && echo "the same"
"$MLVIZ" timeline --json -o a.html "$SAMPLES/train-adamw.pickle.zst" | grep -e schema -e output
echo "== what has no memory has no page"
exits 2 "$MLVIZ" timeline -o bars.html "$TESTDATA/strace/summary.txt"
exits 2 "$MLVIZ" timeline -o page.htm "$SAMPLES/train-adamw.pickle.zst"
ls
