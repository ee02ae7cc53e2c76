# Shared helpers of the scripts, to be sourced. Sourcing it defines functions and variables and changes nothing else.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
TOOLS="$ROOT/.tools"
# Contains the pid of a Docker Engine that these scripts started, so that they do not stop any other.
ENGINE_PID_FILE="${KODA_ENGINE_PID_FILE:-/run/koda-dockerd.pid}"
ENGINE_LOG_FILE="${KODA_ENGINE_LOG_FILE:-/var/log/koda-dockerd.log}"
BASE_IMAGE="node:24-trixie-slim"
APP_IMAGE="koda-app:latest"
SANDBOX_IMAGE="${KODA_SANDBOX_IMAGE:-koda-sandbox:latest}"
export ROOT TOOLS ENGINE_PID_FILE ENGINE_LOG_FILE BASE_IMAGE APP_IMAGE SANDBOX_IMAGE

say() { printf '%s\n' "$*" >&2; }
step() { printf '==> %s\n' "$*" >&2; }
die() { printf 'Koda: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

# with_timeout SECONDS COMMAND…: runs a command, without a limit if the system lacks `timeout` (macOS).
with_timeout() { if have timeout; then timeout "$@"; else shift; "$@"; fi; }

# quietly COMMAND…: runs a command and prints the last lines of its output only if it fails.
quietly() {
  local log status=0
  log="$(mktemp)"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ "$status" = 0 ] || { tail -n 60 "$log" >&2; }
  rm -f "$log"
  return "$status"
}

# timed NAME COMMAND…: runs a command, records its duration in the file KODA_DURATIONS if there is one, and returns its status.
timed() {
  local name="$1" started=$SECONDS status=0; shift
  "$@" || status=$?
  [ -z "${KODA_DURATIONS:-}" ] || printf '  %-26s %4d s\n' "$name" $((SECONDS - started)) >>"$KODA_DURATIONS"
  return "$status"
}

# print_durations: prints what `timed` has recorded, and the duration of this script.
print_durations() {
  printf '\nDurations:\n'
  cat "$KODA_DURATIONS"
  printf '  %-26s %4d s\n' all "$SECONDS"
}

# with_machine_lock NAME COMMAND…: runs a command while no other process holds the lock. All clones on a machine share apt,
# Docker Engine and the base image.
with_machine_lock() {
  local name="$1"; shift
  local file
  file="${TMPDIR:-/tmp}/koda-$name-$(id -u).lock"
  (
    # The command does not inherit descriptor 9, because a daemon that it starts would hold the lock forever.
    exec 9>"$file"
    if have flock; then flock 9 || die "The lock file $file could not be locked."; fi
    "$@" 9>&-
  )
}

# ---- apt -------------------------------------------------------------------

can_apt() { is_root && have apt-get; }

apt_get() {
  DEBIAN_FRONTEND=noninteractive quietly apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@"
}

# apt_missing PACKAGE…: prints the packages that are not installed.
apt_missing() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

# apt_install PACKAGE…: installs missing packages without starting their services. The lock serialises parallel setup steps.
apt_install() { with_machine_lock apt install_missing "$@"; }

install_missing() {
  local missing policy=/usr/sbin/policy-rc.d created_policy=0 status=0
  missing="$(apt_missing "$@")"
  [ -n "$missing" ] || return 0
  apt_get update || say "The package lists could not be updated; see the messages above. Continuing with the existing lists."
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod +x "$policy"; created_policy=1
  fi
  # shellcheck disable=SC2086
  apt_get install -y --no-install-recommends $missing || status=$?
  [ "$created_policy" = 0 ] || rm -f "$policy"
  return "$status"
}

debian_codename() { (. /etc/os-release 2>/dev/null; [ "${ID:-}" = debian ] && printf '%s' "${VERSION_CODENAME:-}") || true; }

# Prints the Debian mirror that this machine already uses, because no other is known to be reachable.
debian_mirror() {
  local uri
  uri="$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null \
    | grep -v '^ *#' | grep -oE 'https?://[^ ]+' | grep -E '/debian/?$' | head -n 1)" || true
  [ -n "$uri" ] || die "No Debian mirror was found in /etc/apt/sources.list or /etc/apt/sources.list.d. Add one, or install Docker yourself."
  printf '%s' "$uri"
}

# ---- Node ------------------------------------------------------------------

node_is_recent() {
  # Node runs TypeScript without a flag from 22.18 on, and undici needs 22.19.
  "$1" -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>22||(a===22&&b>=19)?0:1)' >/dev/null 2>&1
}

# Puts the Node in .tools/ and the binaries of npm packages on PATH.
use_node() {
  if [ -x "$TOOLS/node_modules/node/bin/node" ]; then
    PATH="$TOOLS/node_modules/node/bin:$PATH"
  fi
  PATH="$ROOT/node_modules/.bin:$PATH"
  export PATH
}

# ---- Docker ----------------------------------------------------------------

# Prints the path of a Docker client with compose and buildx. The distribution's client comes first, because an old client
# without these plugins may shadow it on PATH.
find_docker() {
  local candidate
  for candidate in /usr/bin/docker "$(command -v docker 2>/dev/null || true)" /usr/local/bin/docker; do
    if [ -n "$candidate" ] && [ -x "$candidate" ] \
      && "$candidate" compose version >/dev/null 2>&1 && "$candidate" buildx version >/dev/null 2>&1; then
      printf '%s' "$candidate"; return 0
    fi
  done
  return 1
}

# Defines DOCKER for these scripts and for the tests. Fails if there is no client with compose and buildx.
use_docker() {
  DOCKER="${DOCKER:-$(find_docker)}" || return 1
  export DOCKER
}

engine_responds() { use_docker && with_timeout 10 "$DOCKER" version --format '{{.Server.Version}}' >/dev/null 2>&1; }

# remove_sandboxes PATTERN: removes the containers and volumes of all sandboxes whose instance matches the regular expression,
# and prints their ids and names.
remove_sandboxes() {
  local pattern="$1" containers volumes
  containers="$("$DOCKER" ps --all --filter label=koda.instance --format '{{.ID}} {{.Label "koda.instance"}}' \
    | awk -v pattern="$pattern" '$2 ~ pattern {print $1}')"
  # shellcheck disable=SC2086
  [ -z "$containers" ] || "$DOCKER" rm --force $containers | sed 's/^/container /'
  volumes="$("$DOCKER" volume ls --filter label=koda.instance --format '{{.Name}} {{.Label "koda.instance"}}' \
    | awk -v pattern="$pattern" '$2 ~ pattern {print $1}')"
  # shellcheck disable=SC2086
  [ -z "$volumes" ] || "$DOCKER" volume rm $volumes | sed 's/^/volume /'
}

stop_started_engine() {
  local pid waited=0
  pid="$(cat "$ENGINE_PID_FILE" 2>/dev/null)" || return 0
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = dockerd ]; then
    kill -TERM "$pid" 2>/dev/null || true
    while [ -d "/proc/$pid" ] && [ "$waited" -lt 60 ]; do sleep 0.5; waited=$((waited + 1)); done
    [ ! -d "/proc/$pid" ] || kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$ENGINE_PID_FILE"
}

# setting NAME DEFAULT: prints a setting from the environment, otherwise from .env as compose reads it, otherwise the default.
setting() {
  local value="${!1:-}"
  if [ -z "$value" ] && [ -f "$ROOT/.env" ]; then
    value="$(sed -n "s/^ *$1=\\([^#]*\\).*/\\1/p" "$ROOT/.env" | tail -n 1 | sed -e 's/[[:space:]]*$//' -e "s/^[\"']//" -e "s/[\"']$//")"
  fi
  printf '%s' "${value:-$2}"
}

compose() { "$DOCKER" compose --project-directory "$ROOT" -f "$ROOT/compose.yaml" "$@"; }

# ---- Checks ----------------------------------------------------------------

# free_disk_gb PATH: prints the free space on PATH's file system in whole gigabytes (10^9 bytes).
free_disk_gb() { echo $(( $(df -Pk "$1" | awk 'NR==2 {print $4}') * 1024 / 1000000000 )); }

# require_disk PATH GIGABYTES: exits with a message if less space is free.
require_disk() {
  local path="$1" need="$2" free
  while [ ! -e "$path" ]; do path="$(dirname "$path")"; done
  free="$(free_disk_gb "$path")"
  [ "$free" -ge "$need" ] || die "The disk that holds $path has only $free GB free; Koda needs $need GB. Free up some space and try again."
}

port_in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
