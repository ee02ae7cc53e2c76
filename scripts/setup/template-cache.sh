#!/usr/bin/env bash
# Builds the caches of optimised packages in the templates with a page, as the sandbox image does. Without them, the dev
# server of every sandbox that is a process builds the packages itself.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_node

ensure_cache() {
  local template="$1" cache="$1/.koda/vite/moved.json"
  [ "$cache" -nt "$template/vite.config.ts" ] && [ "$cache" -nt "$template/node_modules/.package-lock.json" ] && return 0
  quietly npm --prefix "$template" run --silent prewarm \
    || die "The template's packages could not be prepared; see the messages above."
}

ensure_caches() {
  ensure_cache "$ROOT/sandbox-image/templates/film"
  ensure_cache "$ROOT/sandbox-image/templates/app"
}

with_machine_lock "template-cache-$(printf '%s' "$ROOT" | cksum | cut -d' ' -f1)" ensure_caches
