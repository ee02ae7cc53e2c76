#!/usr/bin/env bash
# All tests, on any machine: set-up, static checks, unit, integration (real containers, Chromium, FFmpeg), browser.
# The last line is `N passed, N failed, N skipped` over all of them.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"
cd "$ROOT"

# Containers of this run carry this name, so that the clean-up touches nothing else.
export KODA_INSTANCE="koda-test-$$"
# Servers start several hundred times: what Node makes of their sources is kept.
export NODE_COMPILE_CACHE="$ROOT/node_modules/.cache/compiled"
started_engine=no

clean_up() {
  trap - EXIT INT TERM
  engine_answers || return 0
  # An engine of this run's own has nothing that anybody else needs.
  if [ "$started_engine" = yes ]; then
    remove_sandboxes . || true
    stop_own_engine
  else
    remove_sandboxes "^($KODA_INSTANCE(-|\$)|test-)" || true
  fi
}
# Whoever reads the last line gets one also when the set-up fails.
trap 'clean_up; echo "0 passed, 1 failed, 0 skipped"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bash scripts/setup/node.sh
use_node
bash scripts/setup/deps.sh
require_disk "$ROOT" 5
engine_answers || started_engine=yes
bash scripts/setup/engine.sh
use_docker || die "Docker cannot be found, although it was set up."
bash scripts/setup/host-tools.sh
bash scripts/setup/base-image.sh
bash scripts/setup/images.sh sandbox

rm -rf test-results
mkdir -p test-results
runs=()
run() {
  local name="$1" status=0; shift
  step "$name"
  "$@" </dev/null || status=$?
  runs+=("$name=$status=test-results/$name.json")
}

run check bash scripts/check.sh
run unit env KODA_TEST_REPORT=test-results/unit.json vitest run --project unit
run integration env KODA_TEST_REPORT=test-results/integration.json vitest run --project integration
if [ -f test/e2e/playwright.config.ts ]; then
  run e2e env PLAYWRIGHT_JSON_OUTPUT_NAME="$ROOT/test-results/e2e.json" \
    playwright test --config test/e2e/playwright.config.ts --reporter=list,json
fi

status=0
totals="$(node scripts/print-totals.ts "${runs[@]}")" || status=$?
# Clean up first: the totals are the last thing that is printed.
clean_up
printf '%s\n' "$totals"
exit "$status"
