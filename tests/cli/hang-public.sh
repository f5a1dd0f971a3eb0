# The ranks that were made to fail are in fault_injection.log beside the dumps.
[ -n "${PUBLIC-}" ] || {
	echo "no recordings beside the checkout"
	exit 77
}
cd "$PUBLIC/flight-recorder"
for d in gpu_error_1st lock_gil_1st; do
	"$MLVIZ" hang -q $d | sed -n 2p
	sed -n 's/^Fault ranks: /  injected: /p' $d/fault_injection.log
done
