#!/usr/bin/env bash
# Runs the `koda` command line with this machine's Node or, if that is too old, with the one that the setup installs.
set -euo pipefail
# npx runs this file through a symbolic link.
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$(readlink -f "$0")")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh" >&2
bash "$ROOT/scripts/setup/deps.sh" >&2
use_node
# .env may set this studio's port.
export KODA_URL="${KODA_URL:-http://localhost:$(setting KODA_PORT 3000)}"
exec node "$ROOT/server/cli/koda.ts" "$@"
