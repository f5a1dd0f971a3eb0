# Another process on the device is told apart from the trace.
on-gpu 'capacity=140G foreign=21:3G foreign=40:1500M foreign=61:-2G' \
	"$SAMPLES/train-adamw.pickle.zst"
