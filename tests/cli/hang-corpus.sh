# The verdict that the README of the recordings states for each, from dumps and logs together, from
# dumps alone, and from logs alone.
[ -n "${CORPUS-}" ] || {
	echo "no recordings beside the checkout"
	exit 77
}
line() {
	"$MLVIZ" hang "$@" 2>/dev/null | sed -n 2,5p | grep -E '^verdict|[a-z>]  [a-z_]*.py:' |
		tr -s ' \n' ' '
	echo
}
cd "$CORPUS/flight-recorder"
for d in *; do
	echo "$d: $(line $d)"
	[ ! -e $d/fr_0 ] || echo "  dumps: $(line $d/fr_[0-9])"
	echo "  log: $(line $d/watchdog.log)"
done
cd ..
for d in run-base run-regressed; do
	echo "$d: $(line $d)"
	echo "  dumps: $(line $d/fr_*)"
done
