#!/usr/bin/env bash
# Hot reload outside containers: the server restarts and the page updates when a file changes.
# Sandboxes are containers when Docker is there, else plain processes without isolation.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/node.sh"
bash "$ROOT/scripts/setup/deps.sh"
use_node

port="$(setting KODA_PORT 3000)"
! port_taken "$port" || die "port $port is taken by another program. Stop that one, or choose another: KODA_PORT=3100 npm run dev"

# Previews may only be framed by pages that the server knows, and this one is not its own.
page_port=5173
while port_taken "$page_port"; do page_port=$((page_port + 1)); done
allowed="$(setting KODA_ALLOWED_HOSTS '')"
export KODA_ALLOWED_HOSTS="${allowed:+$allowed,}localhost:$page_port,127.0.0.1:$page_port"

if [ -z "${KODA_SANDBOX:-}" ]; then
  if engine_answers; then KODA_SANDBOX=docker; else KODA_SANDBOX=process; fi
fi
if [ "$KODA_SANDBOX" = docker ]; then
  bash "$ROOT/scripts/setup/engine.sh"
  bash "$ROOT/scripts/setup/base-image.sh"
  bash "$ROOT/scripts/setup/images.sh" sandbox
else
  bash "$ROOT/scripts/setup/host-tools.sh"
fi
# Sandboxes of its own: they go when this ends, and those of a studio in containers stay.
KODA_INSTANCE="$(setting KODA_INSTANCE koda)-dev"
export KODA_SANDBOX KODA_INSTANCE KODA_PORT="$port"

# Each child leads a process group: the watcher's own child has to hear of the end as well.
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
# Where the built page would be; the server looks for it at its start.
mkdir -p dist/web
say "Sandboxes: $KODA_SANDBOX. The page with hot reload is the address that Vite prints; the API is http://localhost:$port"
# Only when it is there: Node's watcher cannot let go of a file that does not exist.
environment=()
[ ! -f .env ] || environment=(--env-file=.env)
setsid node "${environment[@]}" --watch server/main.ts serve &
groups+=($!)
setsid node node_modules/vite/bin/vite.js --config web/vite.config.ts --port "$page_port" --strictPort &
groups+=($!)
wait -n
