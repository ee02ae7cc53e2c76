#!/usr/bin/env bash
# Installs the npm packages for the repository and the templates if they differ from the lock files, and builds sandboxd and
# the scripts that it runs in pages. With --with-llama, also llama.cpp for `koda model`, which the tests need.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_node
with_llama=no
[ "${1:-}" != --with-llama ] || with_llama=yes

ensure_deps() {
  local folder="$1" status=0
  [ -f "$folder/package-lock.json" ] || return 0
  node "$ROOT/scripts/setup/deps-stale.ts" "$folder" || status=$?
  case "$status" in
    0) return 0 ;;
    1) ;;
    *) die "$folder/node_modules could not be compared with its lock file; see the messages above." ;;
  esac
  step "Installing npm packages for ${folder#"$ROOT"/}"
  # No package that Koda uses needs an install script.
  quietly npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund \
    || die "The npm packages for $folder could not be installed; see the messages above. Check that the npm registry is reachable."
}

ensure_all_deps() {
  ensure_deps "$ROOT"
  ensure_deps "$ROOT/sandbox-image/templates/film"
  ensure_deps "$ROOT/sandbox-image/templates/app"
  ensure_deps "$ROOT/sandbox-image/templates/cycle"
  [ "$with_llama" = no ] || ensure_deps "$ROOT/scripts/local-model"
  node "$ROOT/sandbox-image/sandboxd/build.ts"
}

with_machine_lock "deps-$(printf '%s' "$ROOT" | cksum | cut -d' ' -f1)" ensure_all_deps
