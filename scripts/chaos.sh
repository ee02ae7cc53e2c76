#!/usr/bin/env bash
# Kills a real server repeatedly and checks that nothing it acknowledged is lost: npm run chaos -- --kills N [--seed S]
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node
exec node "$ROOT/test/chaos/main.ts" "$@"
