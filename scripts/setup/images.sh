#!/usr/bin/env bash
# Build the images that are named: `sandbox`, `app`. Nothing changed: a second or two, all from the cache.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_docker || die "there is no Docker client with compose and buildx; run scripts/setup/engine.sh first."

build() {
  local image="$1" dockerfile="$2"
  if ! "$DOCKER" image inspect "$image" >/dev/null 2>&1; then
    # The engine's own folder, where this machine may look into it.
    require_disk "$([ -d /var/lib/docker ] && echo /var/lib/docker || echo "$ROOT")" 5
    step "Building $image (the first time takes some minutes)"
  fi
  quietly "$DOCKER" build -t "$image" -f "$ROOT/$dockerfile" "$ROOT" || die "$image could not be built; the reason stands above."
}

for name in "$@"; do
  case "$name" in
    sandbox) build "$SANDBOX_IMAGE" sandbox-image/Dockerfile ;;
    app) build "$APP_IMAGE" server/Dockerfile ;;
    *) die "there is no image named $name; there are: sandbox, app." ;;
  esac
done
