#!/usr/bin/env bash
# Builds and starts Koda with Docker Compose, and prints its address.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/all.sh"
use_docker || die "Docker was set up, but the docker command is not available yet. Run this command again."

port="$(setting KODA_PORT 3000)"
if [ -z "$(compose ps --quiet --status running app 2>/dev/null)" ] && port_in_use "$port"; then
  die "Port $port is in use by another program. Stop that program, or choose another port: KODA_PORT=3100 npm start"
fi

step "Starting Koda"
mkdir -p "$ROOT/data"
if ! timed "start of the studio" quietly compose up --detach --wait --wait-timeout 120 --remove-orphans; then
  compose logs --tail 30 >&2 || true
  die "The studio did not start; see the end of its log above."
fi
say "Koda is running at $(setting KODA_PUBLIC_URL "http://localhost:$port") (to stop it: npm stop)"
if [ ! -x "$ROOT/data" ]; then
  say "Its data is in $ROOT/data, which belongs to the studio's user (id $(stat -c %u "$ROOT/data" 2>/dev/null || echo 1000)), while you are user $(id -u) and cannot open it. npx koda works all the same. To save a copy: npx koda backup koda.tar.gz. To own the folder while the studio is stopped: sudo chown -R $(id -u):$(id -g) $ROOT/data"
fi
# Runs in the container, because this machine may have no Node. A failure concerns only the warnings.
"$DOCKER" version --format '{{json .Server}}' | compose exec -T app node server/cli/engine-warnings.ts >&2 || true
