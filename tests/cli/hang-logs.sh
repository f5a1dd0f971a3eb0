# Logs alone: what they do not tell is said, and not guessed.
#
# Ranks that wrote nothing which speaks of a hang.
printf '[default%s]:step 10\n' 0 1 0 1 >quiet.log
"$MLVIZ" hang quiet.log
exits 1 "$MLVIZ" hang --fail-on unknown quiet.log >out
exits 0 "$MLVIZ" hang --fail-on hang quiet.log >out
# Text that no rank wrote is no answer.
echo 'Nothing of a job.' >notes.txt
exits 3 "$MLVIZ" hang notes.txt
# One rank of a job whose other ranks no file tells of: it may well wait for one of them.
timeout='Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=8000) ran for 8097 milliseconds before timing out.'
echo "[rank3]:[E Processor.cpp:1] [PG ID 0 PG GUID 0(default_pg) Rank 3] $timeout" >rank3.log
"$MLVIZ" hang rank3.log
echo "[rank5]:[E Processor.cpp:1] [PG ID 0 PG GUID 0(default_pg) Rank 5] $timeout" >rank5.log
"$MLVIZ" hang rank3.log rank5.log | sed -n '/^because/,/^ranks/p'
# TORCH_DISTRIBUTED_DEBUG=DETAIL compares calls before they are issued. Of two ranks neither is the
# majority; of three one is odd.
print() {
	echo "[rank$1]: RuntimeError: Detected mismatch between collectives on ranks. Rank $1 is running collective: CollectiveFingerPrint(SequenceNumber=$2, OpType=$3, TensorShape=[$4], TensorDtypes=$5, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cuda)), but Rank $6 is running collective: CollectiveFingerPrint(SequenceNumber=$7, OpType=$8, TensorShape=[$9], TensorDtypes=${10}, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cuda))."
}
print 1 31 ALLREDUCE 8 Float 0 31 ALLREDUCE 4 Float >two.log
"$MLVIZ" hang two.log
print 0 31 ALLREDUCE 4 Float 1 31 ALLREDUCE 4 BFloat16 >three.log
print 1 31 ALLREDUCE 4 BFloat16 0 31 ALLREDUCE 4 Float >>three.log
print 2 31 ALLREDUCE 4 Float 1 31 ALLREDUCE 4 BFloat16 >>three.log
"$MLVIZ" hang three.log | sed -n 2,8p
exits 1 "$MLVIZ" hang --fail-on hang --json three.log | grep -E '"(verdict|ambiguous|collective_seq_id)"' | head -3
print 1 31 ALLGATHER 4 Float 0 31 ALLREDUCE 4 Float >type.log
"$MLVIZ" hang type.log | sed -n 2p
print 1 32 ALLREDUCE 4 Float 0 31 ALLREDUCE 4 Float >number.log
"$MLVIZ" hang number.log | sed -n 2p
# A failure whose rank nothing tells.
echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 4.00 GiB of which 1.00 GiB is free.' >oom
"$MLVIZ" hang oom
# Files of two runs.
mkdir a b
cp "$TESTDATA/hang/order-2/"fr_* a
cp "$TESTDATA/hang/dead-rank-2/"fr_* b
"$MLVIZ" hang a b | sed -n '/^because/,/^ranks/p'
# The line that each rank executed last, by python -m trace: one of three is elsewhere.
for r in 0 1 2; do
	cp "$TESTDATA/python-trace/loop.txt" rank$r.trace.txt
done
sed -i '/loop.py(8)/,$d' rank1.trace.txt
"$MLVIZ" hang -q rank?.trace.txt
# What the desync report says of the rank that writes it is how far it came: it issued one more.
cat >desync.log <<'LOG'
[rank0]:[E Processor.cpp:1] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=2, OpType=ALLREDUCE, NumelIn=4, NumelOut=4, Timeout(ms)=8000) ran for 8097 milliseconds before timing out.
[rank0]: - [0] Timeout at collective: ALLREDUCE, #3
[rank0]: - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:
[rank0]:     [1] finished collective #2, but didn't join collective #3 (count from 1)
LOG
"$MLVIZ" hang desync.log
