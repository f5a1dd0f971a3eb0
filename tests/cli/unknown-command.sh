# The nearest command is suggested, never run.
exits 2 "$MLVIZ" timelin
exits 2 "$MLVIZ" inof
exits 2 "$MLVIZ" FORMATS
exits 2 "$MLVIZ" time
exits 2 "$MLVIZ" help timelime
exits 2 "$MLVIZ" frobnicate
exits 2 "$MLVIZ" ''
exits 2 "$MLVIZ" --json formats
echo data >report.log
exits 2 "$MLVIZ" report.log
# What a terminal would take for a command is not handed on.
exits 2 "$MLVIZ" "$(printf 'list\033[2J\r\nnow')"
