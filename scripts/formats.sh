#!/usr/bin/env bash
# Renders every format in every combination, checks the frames and writes contact sheets: npm run formats [-- --help]
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/host-tools.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node
cd "$ROOT"
exec node test/formats/main.ts "$@"
