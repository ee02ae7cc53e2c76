#!/usr/bin/env bash
# Stop Koda and its sandboxes. What is in ./data stays.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

engine_answers || { say "No Docker Engine answers, so nothing of Koda runs."; exit 0; }

quietly compose down --remove-orphans --timeout 30 || die "Docker Compose could not stop the platform; the reason stands above."
remove_sandboxes "^$(setting KODA_INSTANCE koda)\$"
say "Koda is stopped; projects and videos stay in ./data."

# An engine that these scripts started for Koda goes too, unless something else uses it by now.
if [ -f "$ENGINE_PID_FILE" ] && [ -z "$("$DOCKER" ps --quiet)" ]; then
  stop_own_engine
  say "Docker Engine, which was started for Koda, is stopped."
fi
