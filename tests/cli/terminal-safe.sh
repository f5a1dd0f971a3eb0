# What a file says is printed so that no terminal takes it for an order: names of functions, of
# annotations, of the file itself.
esc=$(printf '\033')
name=$(printf 'a\033[31mb.pickle')
zstd -dqc "$SAMPLES/train-adamw.pickle.zst" |
	sed "s/train_step/$esc[2Jtrain_/g; s/Optimizer.step/$esc[2Jmizer.step/g" >"$name"
"$MLVIZ" info "$name" >out 2>err
"$MLVIZ" info --json "$name" >>out 2>>err
"$MLVIZ" timeline "$name" >>out 2>>err
"$MLVIZ" timeline --json -o picture.svg "$name" >>out 2>>err
exits 2 "$MLVIZ" timeline "$name" --from "$esc[2J" -o picture.svg 2>>err
exits 3 "$MLVIZ" info "no$name" 2>>err
cat picture.svg >>out
grep -c "$esc" out err || :
grep -a 'train_  ' out
cat err
