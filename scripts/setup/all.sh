#!/usr/bin/env bash
# Everything that running Koda in containers needs, up to its images.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"
here="$ROOT/scripts/setup"

require_disk "$ROOT" 5
bash "$here/engine.sh"
bash "$here/base-image.sh"
bash "$here/images.sh" sandbox app
