# The three ways to drive a GPU: it takes what the model says, to the byte.
big=capacity=140G
on-gpu $big "$SAMPLES/train-adamw.pickle.zst"
on-gpu $big --conf expandable_segments:True "$SAMPLES/train-adamw.pickle.zst"
on-gpu $big --conf max_split_size_mb:64 --gpu 1 "$SAMPLES/multi-gpu.pickle.zst"
on-gpu $big --raw "$SAMPLES/train-adamw.pickle.zst"
# All devices of a recording, one after the other on the second GPU.
on-gpu "$big devices=2" --device cuda:1 "$SAMPLES/multi-gpu.pickle.zst"
