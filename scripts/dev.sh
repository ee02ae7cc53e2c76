#!/usr/bin/env bash
# Runs the server and the page with hot reload, outside containers. Sandboxes are containers if Docker Engine is running,
# otherwise plain processes without isolation.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node

port="$(setting KODA_PORT 3000)"
! port_in_use "$port" || die "Port $port is in use by another program. Stop that program, or choose another port: KODA_PORT=3100 npm run dev"

# The server lets only known hosts frame previews, and Vite serves this page from a separate port.
page_port=5173
while port_in_use "$page_port"; do page_port=$((page_port + 1)); done
allowed="$(setting KODA_ALLOWED_HOSTS '')"
export KODA_ALLOWED_HOSTS="${allowed:+$allowed,}localhost:$page_port,127.0.0.1:$page_port"

if [ -z "${KODA_SANDBOX:-}" ]; then
  if engine_responds; then KODA_SANDBOX=docker; else KODA_SANDBOX=process; fi
fi
if [ "$KODA_SANDBOX" = docker ]; then
  bash "$ROOT/scripts/setup/engine.sh"
  bash "$ROOT/scripts/setup/base-image.sh"
  bash "$ROOT/scripts/setup/images.sh" sandbox
else
  bash "$ROOT/scripts/setup/host-tools.sh"
  bash "$ROOT/scripts/setup/template-cache.sh"
fi
# A separate instance, so that removing its sandboxes at the end keeps those of a studio in containers.
KODA_INSTANCE="$(setting KODA_INSTANCE koda)-dev"
export KODA_SANDBOX KODA_INSTANCE KODA_PORT="$port"

# Each child leads a process group, so that a signal also reaches the server that Node's watcher started.
groups=()
# shellcheck disable=SC2317
stop_children() {
  local group waited
  trap - EXIT INT TERM
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null || true; done
  for group in "${groups[@]}"; do
    waited=0
    while kill -0 -- "-$group" 2>/dev/null && [ "$waited" -lt 60 ]; do sleep 0.5; waited=$((waited + 1)); done
    kill -KILL -- "-$group" 2>/dev/null || true
  done
  [ "$KODA_SANDBOX" != docker ] || remove_sandboxes "^$KODA_INSTANCE\$" || true
}
trap stop_children EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$ROOT"
# The server warns at startup if this folder is missing, although Vite serves the page here.
mkdir -p dist/web
say "Sandboxes: $KODA_SANDBOX. API: http://localhost:$port. Open the page at the address that Vite prints below."
# If the file in --env-file is missing, Node's watcher does not stop.
environment=()
[ ! -f .env ] || environment=(--env-file=.env)
setsid node "${environment[@]}" --watch server/main.ts serve &
groups+=($!)
setsid node node_modules/vite/bin/vite.js --config web/vite.config.ts --port "$page_port" --strictPort &
groups+=($!)
wait -n
