# A pickle that would run code is refused with the place, whatever it names and however; nothing runs.
code() {
	cat >evil
	exits 3 "$MLVIZ" info evil
	exits 3 "$MLVIZ" timeline evil
	exits 3 "$MLVIZ" info --format torch-snapshot evil
}
# os.system("touch marker") as protocol 0, 2 and 4 write it
printf 'cos\nsystem\n(Vtouch marker\ntR.' | code
printf '\200\002cos\nsystem\nX\014\000\000\000touch marker\205R.' | code
printf '\200\004\214\002os\214\006system\223\214\014touch marker\205R.' | code
# as a value within what looks like a snapshot, and in the old way
printf '\200\002}(X\010\000\000\000segments]X\015\000\000\000device_tracescos\nsystem\n(X\014\000\000\000touch markertRu.' | code
printf '\200\002(S"touch marker"\nios\nsystem\n.' | code
# extension registry, persistent id
printf '\200\002\202\001.' | code
printf '\200\002Pname\n.' | code
rm evil
ls
