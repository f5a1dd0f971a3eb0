# docs/formats.md has a row for each format that `mlviz formats` lists, and for no other.
awk -F'|' '/^\| format/ { rows = 1 } /^$/ && names { exit } rows && /^\| `/ { print $2; names = 1 }' \
	"$TESTDATA/../../docs/formats.md" | grep -o '`[^`]*`' | tr -d '`' | sort >documented
"$MLVIZ" formats --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p' | sort >listed
[ -s listed ]
diff documented listed
