#!/usr/bin/env bash
# Takes screenshots of every view of a running studio: npm run screenshots -- --url URL --out FOLDER
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"
bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
bash "$ROOT/scripts/setup/host-tools.sh"
use_node
exec node "$ROOT/scripts/screenshots.ts" "$@"
