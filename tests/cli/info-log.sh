# A log of two ranks that hold every kind of trouble at once: each report with its line and rank,
# and what the ranks say alike only once.
oom='CUDA out of memory. Tried to allocate 2.00 GiB. GPU'
rest='has a total capacity of 79.10 GiB of which 1.00 GiB is free.'
{
	echo '$ torchrun --nproc-per-node 2 train.py 2>&1 | tee log'
	echo '[default0]:before forward'
	echo '[default0]:MA 1.5 GB         Max_MA 2.25 GB         CA 2.5 GB         Max_CA 3 GB '
	echo '[default0]:CPU Virtual Memory:  used = 33.02 GB, percent = 13.1%'
	printf '[default1]:  0%%|          | 0/10\r 10%%|#         | 1/10'
	for rank in 1 0; do
		[ $rank = 1 ] || printf '[default0]:'
		echo 'Traceback (most recent call last):'
		echo "[default$rank]:  File \"/home/u/train.py\", line 12, in <module>"
		echo "[default$rank]:    main()"
		echo "[default$rank]:  File \"/home/u/train.py\", line 8, in main"
		echo "[default$rank]:    y = model(x)"
		echo "[default$rank]:torch.OutOfMemoryError: $oom $rank $rest"
	done
	w='[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=BROADCAST,'
	echo "[default1]:$w NumelIn=7, NumelOut=7, Timeout(ms)=600000) ran for 600081 milliseconds" \
		'before timing out.'
	printf 'Command exited with non-zero status 1\n\tCommand being timed: "torchrun train.py"\n'
	printf '\tUser time (seconds): 12.34\n\tSwaps: 0\n\tExit status: 1\n'
} >log.txt
"$MLVIZ" info log.txt
"$MLVIZ" show --line 5 log.txt
