# An interrupt ends the work with exit code 130, also while it waits for input.
mkfifo fifo
timeout --signal=INT --preserve-status 1 "$MLVIZ" info - <>fifo
