#!/usr/bin/env bash
# Stops Koda and removes its sandboxes. ./data stays.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

engine_responds || { say "Koda is not running: Docker Engine is not responding."; exit 0; }

quietly compose down --remove-orphans --timeout 30 || die "Docker Compose could not stop the studio; see the messages above."
remove_sandboxes "^$(setting KODA_INSTANCE koda)\$" >/dev/null
say "Koda has stopped. Projects and videos are still in ./data."

# Also stops a Docker Engine that these scripts started, unless other containers are running on it.
if [ -f "$ENGINE_PID_FILE" ] && [ -z "$("$DOCKER" ps --quiet)" ]; then
  stop_started_engine
  say "Stopped Docker Engine, which Koda had started."
fi
