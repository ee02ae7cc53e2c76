#!/usr/bin/env bash
# Start Koda and let it make one video through its public API: npm run demo [-- "prompt"]
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

default_prompt="Sunday at the lake

Packing list:
- Swimsuit and towel
- The big blanket
- Peaches from the garden
- Uncle Jo’s guitar

See you at the pier, 10:30

playful, candy theme"
prompt="${*:-$default_prompt}"

bash "$ROOT/scripts/setup/node.sh"
# The command line needs npm packages and the studio needs images. Neither needs the other.
bash "$ROOT/scripts/setup/deps.sh" &
deps=$!
bash "$ROOT/scripts/start.sh"
wait "$deps" || die "the npm packages could not be installed; the reason stands above."
use_node
use_docker || die "Docker cannot be found, although it was set up."

port="$(setting KODA_PORT 3000)"
out="$ROOT/data/demo.mp4"
# ./data belongs to the app's user; whoever may not write there gets the video beside it.
[ -w "$ROOT/data" ] || out="$ROOT/demo.mp4"

step "Making: $prompt"
KODA_URL="http://localhost:$port" node "$ROOT/server/cli/koda.ts" make "$prompt" --yes --out "$out" \
  || die "the video was not made; the reason stands above."
[ -s "$out" ] || die "the command ended well but left no video at $out."

probe() {
  "$DOCKER" run --rm --network none --read-only --cap-drop ALL --user "$(id -u):$(id -g)" \
    --volume "$out:/video.mp4:ro" --entrypoint ffprobe "$SANDBOX_IMAGE" \
    -v error -select_streams v -show_entries "$1" -of default=noprint_wrappers=1:nokey=1 /video.mp4 | paste -sd ' ' -
}
duration="$(probe format=duration)"
stream="$(probe stream=codec_name,width,height,pix_fmt,r_frame_rate)"
say ""
say "Video:    $out"
say "Size:     $(wc -c <"$out" | tr -d ' ') bytes"
say "Duration: $duration s ($stream)"
say "Studio:   http://localhost:$port"
