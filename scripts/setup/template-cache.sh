#!/usr/bin/env bash
# Prepares optimised packages and the compiler's incremental state in the templates with a page, as the sandbox image does. Without
# them, every sandbox that runs as a process builds the packages itself, and its first type check compiles everything.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_node

ensure_cache() {
  local template="$1" cache="$1/.koda/vite/moved.json" types="$1/.koda/types"
  [ "$cache" -nt "$template/vite.config.ts" ] && [ "$cache" -nt "$template/node_modules/.package-lock.json" ] && return 0
  quietly npm --prefix "$template" run --silent prewarm \
    || die "The template's packages could not be prepared; see the messages above."
  # Renamed when complete, because scripts/check.sh may write the same file at the same time.
  quietly "$template/node_modules/.bin/tsc" --project "$template" --noEmit --singleThreaded --tsBuildInfoFile "$types.new" \
    || die "The template could not be compiled; see the messages above."
  mv "$types.new" "$types.tsbuildinfo"
}

ensure_caches() {
  ensure_cache "$ROOT/sandbox-image/templates/film"
  ensure_cache "$ROOT/sandbox-image/templates/app"
}

with_machine_lock "template-cache-$(printf '%s' "$ROOT" | cksum | cut -d' ' -f1)" ensure_caches
