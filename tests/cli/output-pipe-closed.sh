# A reader that goes away ends the work quietly, with exit code 5.
mkfifo fifo
# The first reader opens the FIFO and leaves; then it has none.
exec 3<>fifo
exec 4>fifo
exec 3<&-
exits 5 "$MLVIZ" help --json >&4
