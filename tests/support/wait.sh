# Sourced by the libraries of the shell tests. A test waits for what it needs, never for a time in which that should
# have happened: how long anything takes is the machine's affair.

# wait_for WHAT COMMAND...: until the command succeeds; the test fails when it still does not after two minutes
wait_for() {
	local what=$1 end=$((SECONDS + 120))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || fail "waited in vain: $what"
		sleep 0.02
	done
}

# measures FILE [MS]: FILE, where `--progress json` of a sweep goes, tells of I/Os, and of so many ms of the cell.
# Empty FILE before the sweep is started in the background: what another one wrote there may stand until it is.
measures() {
	awk -v least="${2:-0}" -F '"elapsed_ns":|"iops":' '
		/"event":"measuring"/ && $2 + 0 >= least * 1e6 && $3 + 0 > 0 { found = 1; exit }
		END { exit !found }' "$1" 2>/dev/null
}
