# Standard output by any name is written where it stands: nothing is cut off or replaced.
"$MLVIZ" formats >text
"$MLVIZ" formats --json >json
cat text json >want
{
	"$MLVIZ" formats -o /dev/stdout
	"$MLVIZ" formats --json -o -
} >got
cmp want got
cat text >>got2
"$MLVIZ" formats --json -o got2 >>got2
cmp want got2
# A pipe and a FIFO are written directly.
"$MLVIZ" formats -o /dev/stdout | cmp text -
mkfifo fifo
cat fifo >from-fifo &
"$MLVIZ" formats -o fifo
wait
cmp text from-fifo
[ -p fifo ]
