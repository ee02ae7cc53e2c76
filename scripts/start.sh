#!/usr/bin/env bash
# Build and start Koda with Docker Compose, and print its address.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

bash "$ROOT/scripts/setup/all.sh"
use_docker || die "Docker cannot be found, although it was set up."

port="$(setting KODA_PORT 3000)"
if [ -z "$(compose ps --quiet --status running app 2>/dev/null)" ] && port_taken "$port"; then
  die "port $port is taken by another program. Stop that one, or choose another: KODA_PORT=3100 npm start"
fi

step "Starting Koda"
mkdir -p "$ROOT/data"
if ! quietly compose up --detach --wait --wait-timeout 120 --remove-orphans; then
  compose logs --tail 30 >&2 || true
  die "the platform did not come up; its last words stand above."
fi
say "Koda runs at http://localhost:$port (stop it with: npm stop)"
