#!/usr/bin/env bash
# Make sure that node_modules holds what the lock files ask for: the root's, and the animation template's;
# and that the scripts for pages are built.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_node

ensure_deps() {
  local folder="$1" status=0
  [ -f "$folder/package-lock.json" ] || return 0
  node "$ROOT/scripts/setup/deps-stale.ts" "$folder" || status=$?
  case "$status" in
    0) return 0 ;;
    1) ;;
    *) die "the state of $folder/node_modules could not be read." ;;
  esac
  step "Installing npm packages of ${folder#"$ROOT"/}"
  # Nothing that Koda uses needs an install script.
  quietly npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund \
    || die "npm ci failed in $folder. Is the npm registry in reach?"
}

ensure_all() {
  ensure_deps "$ROOT"
  ensure_deps "$ROOT/sandbox-image/templates/animation"
  # What sandboxd runs in pages, where it runs from its sources: a tenth of a second.
  node "$ROOT/sandbox-image/sandboxd/build-page-scripts.ts"
}

with_machine_lock "deps-$(printf '%s' "$ROOT" | cksum | cut -d' ' -f1)" ensure_all
