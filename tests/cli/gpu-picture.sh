# What a GPU says is in use, over the replay: 56 cells with 4 MiB that the driver adds to each, so
# 224 MiB more than the 814 MiB of the model.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
on-gpu 'overhead=4M' --conf expandable_segments:True -o a.svg train-adamw.pickle.zst | sed -n 4p
grep -o '>in use[^<]*<\|>1.01 GiB<' a.svg
# A device that failed: as far as it went.
exits 6 on-gpu lost=60 -o b.svg train-adamw.pickle.zst >/dev/null
grep -o '>in use[^<]*<\|>252.0 MiB<' b.svg
