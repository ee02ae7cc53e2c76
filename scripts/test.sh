#!/usr/bin/env bash
# Sets up the machine and runs all tests: static checks, unit, integration (real containers, Chromium, FFmpeg), browser. The
# last line is `N passed, N failed, N skipped`, over all tests.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"
cd "$ROOT"

# The run's containers and volumes have a label that starts with this name.
export KODA_INSTANCE="koda-test-$$"
# The run's temporary folder, by which its processes and mounts are found. Short, because a socket path is limited to 107 bytes.
folder="$(mktemp -d /tmp/kr-XXXXXX)"
KODA_DURATIONS="$(mktemp)"
export KODA_DURATIONS
# The tests start several hundred servers, so Node caches their compiled sources.
export NODE_COMPILE_CACHE="$ROOT/node_modules/.cache/compiled"
started_engine=no

# Process groups of the background jobs.
groups=()
in_background() { set -m; "$@" </dev/null & groups+=($!); set +m; }
# interruptible COMMAND…: runs a command in the background, because bash runs a trap only after a foreground command has ended.
interruptible() { in_background "$@"; wait "$!"; }

end_groups() {
  local group waited=0
  for group in ${groups[@]+"${groups[@]}"}; do kill -TERM -- "-$group" 2>/dev/null || true; done
  for group in ${groups[@]+"${groups[@]}"}; do
    while kill -0 -- "-$group" 2>/dev/null && [ "$waited" -lt 50 ]; do sleep 0.2; waited=$((waited + 1)); done
    kill -KILL -- "-$group" 2>/dev/null || true
  done
}

# Kills the processes that have the run's folder in their environment or command line, and prints them.
kill_processes() {
  local pid words
  for pid in $(grep -lsF "$folder" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | sort -nu); do
    words="$({ tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | cut -c 1-100)" || continue
    [ -n "$words" ] || continue
    kill -KILL "$pid" 2>/dev/null && printf 'process %s: %s\n' "$pid" "$words"
  done
}

unmount_all() {
  local mount
  awk -v folder="$folder/" 'index($2, folder) == 1 {print $2}' /proc/mounts 2>/dev/null | sort -r | while read -r mount; do
    umount --lazy "$mount" && printf 'mount %s\n' "$mount"
  done
}

remove_rest() {
  kill_processes || true
  unmount_all || true
  if engine_responds; then
    # If this run started the engine, no other program uses it.
    if [ "$started_engine" = yes ]; then remove_sandboxes . || true; else remove_sandboxes "^$KODA_INSTANCE(-|\$)" || true; fi
  fi
}

clean_up() {
  local rest
  # A second Ctrl-C must not interrupt the removal. npm forwards the first one, so there are always two.
  trap '' INT TERM
  trap - EXIT
  end_groups
  rest="$(remove_rest)"
  if [ -n "$rest" ]; then
    say "Koda: these were left behind, and have been removed:"
    printf '%s\n' "$rest" | sed 's/^/    /' >&2
  fi
  [ "$started_engine" = no ] || stop_started_engine
  rm -rf "$folder" "$KODA_DURATIONS"
}
# The last line has totals even if the setup fails.
trap 'clean_up; echo "0 passed, 1 failed, 0 skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

timed "Node" bash scripts/setup/node.sh
use_node
require_disk "$ROOT" 5
step "$(node scripts/machine.ts)"
engine_responds || started_engine=yes

# Packages, containers and host tools are independent, so they are set up in parallel.
containers() {
  bash scripts/setup/engine.sh && bash scripts/setup/base-image.sh && bash scripts/setup/images.sh sandbox
}
in_background containers
containers=$!
in_background bash scripts/setup/host-tools.sh
host_tools=$!
timed "npm packages" interruptible bash scripts/setup/deps.sh --with-llama
in_background bash scripts/setup/template-cache.sh
template_cache=$!

rm -rf test-results
mkdir -p test-results
runs=()
run() {
  local name="$1" status=0; shift
  step "$name"
  timed "$name" interruptible env TMPDIR="$folder" "$@" || status=$?
  runs+=("$name=$status=test-results/$name.json")
}

# The checks and unit tests need only npm packages; all other tests also need host tools and containers.
run check bash scripts/check.sh
run unit env KODA_TEST_REPORT=test-results/unit.json vitest run --project unit
timed "wait for host tools" wait "$host_tools" || die "The test tools could not be set up; see the messages above."
timed "wait for template" wait "$template_cache" || die "The template could not be prepared; see the messages above."
timed "wait for containers" wait "$containers" || die "The containers could not be set up; see the messages above."
use_docker || die "Docker was set up, but the docker command is not available yet. Run this command again."

# In sequence, because browser tests time out if they share two cores with the integration tests' browsers.
# A heavy test keeps two cores busy, so these run one after the other, beside all others.
heavy() {
  env TMPDIR="$folder" KODA_TEST_REPORT=test-results/heavy.json vitest run --project integration-heavy \
    >test-results/heavy.log 2>&1
}
in_background heavy
heavy=$! status=0
run integration env KODA_TEST_REPORT=test-results/integration.json vitest run --project integration
timed "heavy tests beside it" wait "$heavy" || status=$?
cat test-results/heavy.log
runs+=("heavy=$status=test-results/heavy.json")
run e2e env PLAYWRIGHT_JSON_OUTPUT_NAME="$ROOT/test-results/e2e.json" \
  playwright test --config test/e2e/playwright.config.ts --reporter=list,json

status=0
totals="$(node scripts/print-totals.ts "${runs[@]}")" || status=$?
durations="$(print_durations)"
# The totals must be the last line, so the cleanup comes first.
clean_up
printf '%s\n' "$durations" "" "$(node scripts/machine.ts)" "$totals"
exit "$status"
