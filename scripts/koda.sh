#!/usr/bin/env bash
# The command line `koda`, on the Node of this machine or, where that is too old, on the one that the set-up brings.
set -euo pipefail
# npx reaches this file through a link.
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$(readlink -f "$0")")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh" >&2
bash "$ROOT/scripts/setup/deps.sh" >&2
use_node
# The studio of this folder may have a port of its own in .env.
export KODA_URL="${KODA_URL:-http://localhost:$(setting KODA_PORT 3000)}"
exec node "$ROOT/server/cli/koda.ts" "$@"
