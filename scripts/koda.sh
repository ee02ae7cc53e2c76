#!/usr/bin/env bash
# Runs the `koda` command line with this machine's Node or, if that is too old, with the one that the setup installs.
set -euo pipefail
# npx runs this file through a symbolic link.
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$(readlink -f "$0")")/setup/lib.sh"

# The setup takes longer than most commands, so it runs only if the packages may have changed.
ready="$TOOLS/koda-ready"
if [ ! "$ready" -nt "$ROOT/package-lock.json" ] || [ ! -d "$ROOT/node_modules/commander" ]; then
  bash "$ROOT/scripts/setup/node.sh" >&2
  bash "$ROOT/scripts/setup/deps.sh" >&2
  mkdir -p "$TOOLS"
  touch "$ready"
fi
use_node
export NODE_COMPILE_CACHE="$TOOLS/compiled"
# .env may set this studio's port, and the address that the command prints for people.
if [ -z "${KODA_URL:-}" ]; then
  KODA_URL="http://localhost:$(setting KODA_PORT 3000)"
  KODA_PUBLIC_URL="$(setting KODA_PUBLIC_URL '')"
else
  KODA_PUBLIC_URL=''
fi
export KODA_URL KODA_PUBLIC_URL
# ./data belongs to the studio's user. Whoever may use Docker may act for it.
if [ -z "${KODA_TOKEN:-}" ] && [ -d "$ROOT/data" ] && [ ! -x "$ROOT/data" ] && use_docker; then
  KODA_TOKEN="$(compose exec -T app cat /data/local-key 2>/dev/null || true)"
  export KODA_TOKEN
fi
exec node "$ROOT/server/cli/koda.ts" "$@"
