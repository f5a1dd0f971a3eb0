# Names that a file holds are text in every document, whatever they are.
mkdir run
bidi=$(printf '\342\200\256')
esc=$(printf '\033')
long=$(printf '%010000d' 0 | tr 0 x)
cat >run/train.log <<END
Traceback (most recent call last):
  File "/home/me/<script>alert(1)</script>.py", line 7, in <img src=x onerror=alert(1)>
    x()
  File "/home/me/a|b.py", line 8, in f\`g\`[h](https://example.org)
    x()
ValueError: <b>bold</b> **strong** | cell @someone #12 www.example.org "quoted" 'single' & &lt; $bidi $esc[31m
Traceback (most recent call last):
  File "/home/me/$long.py", line 9, in $long
    x()
KeyError: '$long'
END
cp run/train.log "run/<img src=x>|\`a\`.log"
"$MLVIZ" report -o out run >out.txt
"$MLVIZ" report -o out2 run >/dev/null
diff -r out out2
# No tag, no control character and no mark that reorders text; JSON keeps the last, within quotes.
grep -c "$esc\|$bidi" out.txt out/summary.md out/junit.xml out/findings.sarif || :
grep -c "$esc" out/report.json || :
sed 's/`` .* ``//g; s/`[^`]*`//g' out/summary.md | grep -nE '(^|[^\\])<[a-z!/]' || echo 'no tag in the summary'
grep -c '<script>alert' out/index.html || :
# Names of 10 kB are cut where people read.
awk '{ if (length($0) > 2000) exit 1 }' out/summary.md && echo 'no long line'
sed -n '/ValueError/,/from/p' out/summary.md | head -n 4
grep '^| ' out/summary.md | tail -n 2
