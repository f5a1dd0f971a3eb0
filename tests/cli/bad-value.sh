# What is expected is said, with an example.
exits 2 "$MLVIZ" timeline --color blue x
exits 2 "$MLVIZ" timeline --size big x
exits 2 "$MLVIZ" timeline --size 1600x0 x
exits 2 "$MLVIZ" timeline --size 1600x900x x
exits 2 "$MLVIZ" timeline --capacity lots x
exits 2 "$MLVIZ" timeline --rank -1 x
exits 2 "$MLVIZ" timeline --rank 99999999999999999999 x
exits 2 "$MLVIZ" timeline --limit rows x
exits 2 "$MLVIZ" timeline --limit cows=1 x
