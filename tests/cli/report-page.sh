# The page of a report holds report.json and the timelines of all ranks. Where spans begin on the axis
# of the memory is reckoned here from the recordings themselves; what ranks waited must sum up to what
# the report says.
[ -d "${CORPUS-}/run-regressed" ] && command -v zstd >/dev/null || exit 77
cp -r "$CORPUS/run-regressed" run
"$MLVIZ" report -q -o out run >/dev/null
cat >read.py <<'END'
import base64, json, pickle, re, subprocess, zlib

html = open("out/index.html", encoding="utf-8").read()
report = json.load(open("out/report.json"))
blocks = re.findall(r'<script id="([^"]*)" data-kind="([^"]*)" data-title="[^"]*" type="[^"]*">([^<]*)<', html)
texts = {id: text for id, kind, text in blocks}
print("report.json", json.loads(texts["report"]) == report)


def columns(text):
    data = zlib.decompress(base64.b64decode(text), -15)
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
            out.append(last)
        cols[c["name"]] = out
    return head["meta"], cols


def recording(name):
    return subprocess.run(["zstd", "-dc", "run/" + name], stdout=subprocess.PIPE, check=True).stdout


for t in json.loads(texts["index"])["timelines"]:
    rank = t["rank"]
    events = pickle.loads(recording(f"mem-rank{rank}.pickle.zst"))["device_traces"][rank]
    trace = json.loads(recording(f"trace-rank{rank}.json.zst"))
    first = min(e["ts"] for e in trace["traceEvents"] if e["ph"] in "XiI" and e.get("name") != "[memory]")
    offset = trace["baseTimeNanoseconds"] + first * 1000 - events[0]["time_us"] * 1000
    print(t["title"], "on one axis:", len(t["spans"]), "notes:", t["notes"])
    for s in t["spans"]:
        meta, cols = columns(texts[s["id"]])
        print(" ", meta["title"], meta["total"], "spans,", len(meta["tracks"]), "tracks:", s["clocks"])
        if meta["title"].startswith("trace"):
            print("  begins where the trace says:", abs(s["offset_ns"] - offset) < 1000)
            waits = columns(texts[s["id"].replace("spans", "waits")])[1]
            said = [k["collective_wait_ns"] for k in report["ranks"] if k["rank"] == rank]
            print("  waited", sum(waits["wait"]), "as the report says:", [sum(waits["wait"])] == said)
            kernels = {
                cols["start"][i] for i in range(len(cols["start"])) if "nccl" in meta["texts"][cols["name"][i]]
            }
            print("  each in a kernel of NCCL:", set(waits["start"]) <= kernels)
END
python3 read.py
