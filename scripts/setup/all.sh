#!/usr/bin/env bash
# Sets up everything that Koda needs to run in containers, including its images.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
here="$ROOT/scripts/setup"

require_disk "$ROOT" 5
timed "engine" bash "$here/engine.sh"
timed "base image" bash "$here/base-image.sh"
timed "sandbox image" bash "$here/images.sh" sandbox
timed "app image" bash "$here/images.sh" app
