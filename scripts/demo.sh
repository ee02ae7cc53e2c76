#!/usr/bin/env bash
# Starts Koda and makes one video through its public API: npm run demo [-- "prompt"]
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
KODA_DURATIONS="$(mktemp)"
export KODA_DURATIONS
trap 'rm -f "$KODA_DURATIONS"' EXIT

timed "Node" bash "$ROOT/scripts/setup/node.sh"
# The packages are for the command line and the images for the studio, so both are set up in parallel.
timed "npm packages (beside)" bash "$ROOT/scripts/setup/deps.sh" &
deps=$!
bash "$ROOT/scripts/start.sh"
timed "wait for npm packages" wait "$deps" || die "The npm packages could not be installed; see the messages above."
use_node
use_docker || die "Docker was set up, but the docker command is not available yet. Run this command again."

port="$(setting KODA_PORT 3000)"
out="$ROOT/data/demo.mp4"
# ./data belongs to the app's user, so this user may lack permission to write there.
[ -w "$ROOT/data" ] || out="$ROOT/demo.mp4"

step "Making a video from this request: $prompt"
timed "video" env KODA_URL="http://localhost:$port" bash "$ROOT/scripts/koda.sh" make "$prompt" --yes --out "$out" \
  || die "The video could not be created; see the messages above."
[ -s "$out" ] || die "The command succeeded but wrote no video to $out. This is a bug in Koda."

probe() {
  "$DOCKER" run --rm --network none --read-only --cap-drop ALL --user "$(id -u):$(id -g)" \
    --volume "$out:/video.mp4:ro" --entrypoint ffprobe "$SANDBOX_IMAGE" \
    -v error -select_streams v -show_entries "$1" -of default=noprint_wrappers=1:nokey=1 /video.mp4 | paste -sd ' ' -
}
duration="$(probe format=duration)"
stream="$(probe stream=codec_name,width,height,pix_fmt,r_frame_rate)"
print_durations >&2
say ""
say "Video:    $out"
say "Size:     $(wc -c <"$out" | tr -d ' ') bytes"
say "Duration: $duration s ($stream)"
say "Studio:   http://localhost:$port"
