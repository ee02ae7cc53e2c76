#!/usr/bin/env bash
# Checks everything that can be checked without running the product: types, lint and format, dead code, import directions,
# lock files, code in strings, paths in documents. Runs all checks even if one fails. Writes test-results/check.json.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node
cd "$ROOT"

results=()
failed=0
check() {
  local name="$1" passed=true; shift
  if ! quietly "$@"; then passed=false; failed=1; fi
  printf '%-15s %s\n' "$name" "$([ "$passed" = true ] && echo passed || echo FAILED)" >&2
  results+=("{\"name\":\"$name\",\"passed\":$passed}")
}

check types tsc --project tsconfig.json
[ ! -f web/tsconfig.json ] || check types-web tsc --project web/tsconfig.json --noEmit
check types-page tsc --project sandbox-image/sandboxd/page/tsconfig.json
template=sandbox-image/templates/film
[ ! -f "$template/tsconfig.json" ] || check types-template tsc --project "$template/tsconfig.json" --noEmit
check types-app tsc --project sandbox-image/templates/app/tsconfig.json --noEmit
check types-bench tsc --project test/bench/render/scenes/tsconfig.json --noEmit
check types-gallery tsc --project test/formats/page/tsconfig.json --noEmit
check lint biome check --error-on-warnings --max-diagnostics=100 .
check dead-code knip --no-progress --no-config-hints
check imports depcruise --config .dependency-cruiser.cjs server sandbox-image/sandboxd sandbox-image/templates/film/src web scripts test
check folders depcruise --config .dependency-cruiser.folders.cjs server sandbox-image/sandboxd web
check lock-files node scripts/setup/complete-lock.ts --check package-lock.json "$template/package-lock.json" sandbox-image/templates/cycle/package-lock.json scripts/local-model/package-lock.json
check code-in-strings node scripts/check-code-in-strings.ts
check doc-paths node scripts/check-doc-paths.ts

mkdir -p test-results
(IFS=,; printf '{"checks":[%s]}\n' "${results[*]}") >test-results/check.json
exit "$failed"
