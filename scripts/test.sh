#!/usr/bin/env bash
# Sets up the machine and runs all tests: static checks, unit, integration (real containers, Chromium, FFmpeg), browser. The
# last line is `N passed, N failed, N skipped`, over all tests.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"
cd "$ROOT"

# The cleanup removes only containers with this name.
export KODA_INSTANCE="koda-test-$$"
# The tests start several hundred servers, so Node caches their compiled sources.
export NODE_COMPILE_CACHE="$ROOT/node_modules/.cache/compiled"
started_engine=no

# Process groups of the background jobs.
groups=()
in_background() { set -m; "$@" </dev/null & groups+=($!); set +m; }

clean_up() {
  local group
  trap - EXIT INT TERM
  for group in ${groups[@]+"${groups[@]}"}; do kill -TERM -- "-$group" 2>/dev/null || true; done
  engine_responds || return 0
  # If this run started the engine, no other program uses it.
  if [ "$started_engine" = yes ]; then
    remove_sandboxes . || true
    stop_started_engine
  else
    remove_sandboxes "^($KODA_INSTANCE(-|\$)|test-)" || true
  fi
}
# The last line has totals even if the setup fails.
trap 'clean_up; echo "0 passed, 1 failed, 0 skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

durations=()
# timed NAME COMMAND…: runs a command, records its duration and returns its status.
timed() {
  local name="$1" started=$SECONDS status=0; shift
  "$@" || status=$?
  durations+=("$(printf '%-22s %4d s' "$name" $((SECONDS - started)))")
  return "$status"
}

timed "Node" bash scripts/setup/node.sh
use_node
require_disk "$ROOT" 5
engine_responds || started_engine=yes

# Packages, containers and host tools are independent, so they are set up in parallel.
containers() {
  bash scripts/setup/engine.sh && bash scripts/setup/base-image.sh && bash scripts/setup/images.sh sandbox
}
in_background containers
containers=$!
in_background bash scripts/setup/host-tools.sh
host_tools=$!
timed "npm packages" bash scripts/setup/deps.sh
in_background bash scripts/setup/template-cache.sh
template_cache=$!

rm -rf test-results
mkdir -p test-results
runs=()
run() {
  local name="$1" status=0; shift
  step "$name"
  timed "$name" "$@" </dev/null || status=$?
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
run integration env KODA_TEST_REPORT=test-results/integration.json vitest run --project integration
run e2e env PLAYWRIGHT_JSON_OUTPUT_NAME="$ROOT/test-results/e2e.json" \
  playwright test --config test/e2e/playwright.config.ts --reporter=list,json

status=0
totals="$(node scripts/print-totals.ts "${runs[@]}")" || status=$?
# The totals must be the last line, so the cleanup comes first.
timed "cleanup" clean_up
printf '\nDurations:\n'
printf '  %s\n' "${durations[@]}" "$(printf '%-22s %4d s' all "$SECONDS")" ""
printf '%s\n' "$totals"
exit "$status"
