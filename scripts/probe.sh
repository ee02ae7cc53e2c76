#!/usr/bin/env bash
# Tries to get out of a sandbox in about 150 ways, and does the same in weak containers, where the attempts succeed: npm run probe
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
bash "$ROOT/scripts/setup/engine.sh"
bash "$ROOT/scripts/setup/base-image.sh"
bash "$ROOT/scripts/setup/images.sh" sandbox
use_node
exec node "$ROOT/test/probe/main.ts"
