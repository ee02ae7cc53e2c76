#!/usr/bin/env bash
# images.sh NAME…: builds the named images, `sandbox` or `app`. Takes a second or two if nothing has changed.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
use_docker || die "Docker with its compose and buildx plugins was not found. Run scripts/setup/engine.sh first."

build() {
  local image="$1" dockerfile="$2"
  if ! "$DOCKER" image inspect "$image" >/dev/null 2>&1; then
    # Docker Engine's data may be on another disk, or on another machine.
    require_disk "$([ -d /var/lib/docker ] && echo /var/lib/docker || echo "$ROOT")" 5
    step "Building $image (the first build takes a few minutes)"
  fi
  quietly "$DOCKER" build -t "$image" -f "$ROOT/$dockerfile" "$ROOT" || die "$image could not be built; see the messages above."
}

for name in "$@"; do
  case "$name" in
    sandbox) build "$SANDBOX_IMAGE" sandbox-image/Dockerfile ;;
    app) build "$APP_IMAGE" server/Dockerfile ;;
    *) die "Unknown image: $name. Choose sandbox or app." ;;
  esac
done
