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
if ! quietly compose up --detach --wait --wait-timeout 120 --remove-orphans; then
  compose logs --tail 30 >&2 || true
  die "The studio did not start; see the end of its log above."
fi
say "Koda is running at http://localhost:$port (to stop it: npm stop)"
