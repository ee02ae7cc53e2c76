#!/usr/bin/env bash
# Runs a README command as a newcomer would: in a clone of HEAD, on a Debian machine with only git, Node 20 and npm. The
# machine is a privileged container with its own Docker Engine.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/setup/lib.sh"

usage() {
  cat <<'USAGE'
npm run fresh -- demo|test

Runs `npm run demo` or `npm test` in a clone of HEAD on a clean Debian machine: a privileged container with git, Node 20
and npm, its own Docker Engine, empty caches, and no container registry. Prints the duration and the command's last line,
exits with the command's exit code, and removes the container with its volume.

Uncommitted changes are not included. Needs Docker and 15 GB of free disk space. Takes 5 minutes for demo, 20 for test.
USAGE
}

case "${*:-}" in
  demo) command=(npm run demo) ;;
  test) command=(npm test) ;;
  -h | --help) usage; exit 0 ;;
  "") usage >&2; exit 2 ;;
  *) say "Koda: \"$*\" cannot be run on a fresh machine. Choose demo or test."; say ""; usage >&2; exit 2 ;;
esac

bare_image="koda-bare:latest"
container="koda-fresh-$1-$$"
log="${TMPDIR:-/tmp}/koda-fresh-$1.log"
work="$(mktemp -d)"

clean_up() {
  # A second Ctrl-C must not interrupt the removal. npm forwards the first one, so there are always two.
  trap '' INT TERM
  trap - EXIT
  # --volumes removes the engine's volume too, because it is anonymous.
  [ -z "${DOCKER:-}" ] || "$DOCKER" rm --force --volumes "$container" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bash "$ROOT/scripts/setup/engine.sh"
bash "$ROOT/scripts/setup/base-image.sh"
use_docker || die "Docker was set up, but the docker command is not available yet. Run this command again."
require_disk "$([ -d /var/lib/docker ] && echo /var/lib/docker || echo "$ROOT")" 15

# A run that was killed with SIGKILL leaves its container behind.
stale="$("$DOCKER" ps --all --quiet --filter label=koda.fresh --filter status=exited)"
# shellcheck disable=SC2086
[ -z "$stale" ] || "$DOCKER" rm --volumes $stale >/dev/null

step "Preparing the clean test machine"
quietly "$DOCKER" build --tag "$bare_image" --file "$ROOT/scripts/setup/bare.Dockerfile" --build-arg "BASE=$BASE_IMAGE" "$work" \
  || die "The image for the clean test machine could not be built; see the messages above."

# Collects what the container needs from this machine: the repository, and access to the package registries. Copied into the
# container, not built into an image, because npm's settings may contain tokens.
mkdir "$work/fresh"
git -C "$ROOT" bundle create --quiet "$work/fresh/koda.bundle" HEAD
if have npm; then
  for file in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
    [ ! -f "$file" ] || { cat "$file"; echo; } >>"$work/fresh/npmrc"
  done
fi
cp /etc/ssl/certs/ca-certificates.crt "$work/fresh/bundle.pem" 2>/dev/null || true
mkdir "$work/fresh/ca"
cp /usr/local/share/ca-certificates/*.crt "$work/fresh/ca/" 2>/dev/null || true
if [ -n "$(debian_codename)" ] && debian_mirror >"$work/fresh/mirror"; then
  # apt's settings for proxies and certificates.
  apt-config dump | grep -iE '^Acquire::(http|https|Check|Retries)' >"$work/fresh/apt.conf" || true
fi
cp "$ROOT/scripts/setup/bare-machine.sh" "$work/fresh/"

proxies=()
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
  [ -z "${!name:-}" ] || proxies+=(--env "$name")
done

# Like a small machine, it has an init process that reaps orphans, and 512 MB of shared memory.
"$DOCKER" create --name "$container" --label koda.fresh --privileged --init --shm-size 512m --volume /var/lib/docker \
  ${proxies[@]+"${proxies[@]}"} "$bare_image" bash /fresh/bare-machine.sh "${command[@]}" >/dev/null
"$DOCKER" cp --quiet "$work/fresh" "$container:/fresh"

# Prefixes each input line with the minutes and seconds since the start.
stamp() {
  local line passed
  while IFS= read -r line || [ -n "$line" ]; do
    passed=$((SECONDS - started))
    printf '%02d:%02d  %s\n' $((passed / 60)) $((passed % 60)) "$line"
  done
}

commit="$(git -C "$ROOT" log -1 --format='%h %s')"
step "Running \`${command[*]}\` for $commit (log: $log)"
[ -z "$(git -C "$ROOT" status --porcelain)" ] || say "    Uncommitted changes are not included."
started=$SECONDS
status=0
# bash runs a trap only after a foreground command has ended, so the command runs in the background.
{ "$DOCKER" start --attach "$container" </dev/null 2>&1 | stamp | tee "$log"; } &
wait "$!" || status=$?
passed=$((SECONDS - started))

say ""
say "${command[*]}: exit code $status after $((passed / 60)) min $((passed % 60)) s"
# From the durations on, or only the last line of a command that failed before.
sed 's/^[0-9]*:[0-9]*  //' "$log" | awk '/^Durations:/ {shown = ""} {shown = shown $0 "\n"; last = $0} END {printf "%s", (shown ~ /^Durations:/ ? shown : last "\n")}'
clean_up
exit "$status"
