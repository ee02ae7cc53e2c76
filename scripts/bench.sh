#!/usr/bin/env bash
# Runs the benchmark in test/bench/<area>.ts: npm run bench -- <area> [--json FILE]
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

planned="sandbox proxy"
existing=""
for file in "$ROOT"/test/bench/*.ts; do
  [ -f "$file" ] && existing="$existing $(basename "$file" .ts)"
done
area="${1:-}"

if [ -z "$area" ] || [ ! -f "$ROOT/test/bench/$area.ts" ]; then
  [ -z "$area" ] || say "Koda: there is no benchmark named \"$area\"."
  say "Usage: npm run bench -- <area>. Areas:${existing:- none yet}. Planned: $planned."
  exit 2
fi
shift
bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node
exec node "$ROOT/test/bench/$area.ts" "$@"
