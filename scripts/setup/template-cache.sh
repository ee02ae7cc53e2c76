#!/usr/bin/env bash
# Builds the cache of optimised packages in the film template, as the sandbox image does. Without it, the dev server of
# every sandbox that is a process builds the packages itself.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_node

template="$ROOT/sandbox-image/templates/film"
cache="$template/.koda/vite/moved.json"

ensure_cache() {
  [ "$cache" -nt "$template/vite.config.ts" ] && [ "$cache" -nt "$template/node_modules/.package-lock.json" ] && return 0
  quietly npm --prefix "$template" run --silent prewarm \
    || die "The template's packages could not be prepared; see the messages above."
}

with_machine_lock "template-cache-$(printf '%s' "$ROOT" | cksum | cut -d' ' -f1)" ensure_cache
