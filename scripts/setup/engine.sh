#!/usr/bin/env bash
# Provides a responsive Docker Engine: uses a running one, or starts it, or installs it (on Debian, as root).
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

# Sandboxes mount a folder of a shared volume (volume-subpath), which Docker Engine 26 introduced.
min_major=26
install_docs=https://docs.docker.com/engine/install/

install_engine() {
  local codename mirror list=/etc/apt/sources.list.d/koda-trixie.sources pin=/etc/apt/preferences.d/koda-trixie
  codename="$(debian_codename)"
  case "$codename" in
    bookworm)
      mirror="$(debian_mirror)"
      # Bookworm packages Docker Engine 20.10. The trixie packages run on bookworm; apt takes nothing else from trixie.
      cat >"$list" <<SOURCE
Types: deb
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCE
      printf 'Package: *\nPin: release n=trixie\nPin-Priority: -1\n\nPackage: docker.io docker-cli docker-compose docker-buildx\nPin: release n=trixie\nPin-Priority: 900\n' >"$pin"
      ;;
    "" | buster | bullseye)
      die "Docker Engine is missing, and Koda can install it only on Debian 12 or newer. Install Docker Engine $min_major or newer: $install_docs" ;;
  esac
  step "Installing Docker Engine from Debian packages"
  # debootstrap builds the base image if no container registry is reachable. Installing it later would have to wait for the
  # browser's installation, which locks apt for a minute.
  apt_install docker.io docker-cli docker-compose docker-buildx iptables debootstrap \
    || die "apt could not install Docker Engine; see the messages above. Install Docker Engine $min_major or newer yourself: $install_docs"
}

process_has_name() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]; }

# Removes stale pid files, sockets and mounts. They survive a hard stop of the machine and keep a new daemon from starting.
remove_stale_state() {
  local pid
  pid="$(cat /var/run/docker.pid 2>/dev/null || true)"
  if [ -n "$pid" ] && process_has_name "$pid" dockerd; then return 0; fi
  rm -f /var/run/docker.pid /var/run/docker.sock
  pid="$(cat /run/docker/containerd/containerd.pid 2>/dev/null || true)"
  if [ -z "$pid" ] || ! process_has_name "$pid" containerd; then
    rm -f /run/docker/containerd/containerd.pid /run/docker/containerd/containerd.sock* 2>/dev/null || true
  fi
  if [ -S /run/containerd/containerd.sock ] && ! pidof containerd >/dev/null 2>&1; then
    rm -f /run/containerd/containerd.sock*
  fi
  local mount
  awk '$2 ~ "^/var/lib/docker/(overlay2|containers|buildkit)|^/run/docker/netns/" {print $2}' /proc/mounts | sort -r \
    | while read -r mount; do umount -l "$mount" 2>/dev/null || true; done
}

# Machines without an init system often lack the cgroup mount that containers need.
mount_cgroups() {
  grep -q ' /sys/fs/cgroup' /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || true
}

start_engine() {
  local pid waited=0
  if [ -d /run/systemd/system ] && have systemctl; then
    step "Starting Docker Engine"
    quietly systemctl start docker || die "systemctl could not start Docker. Its log: journalctl -u docker"
  else
    have dockerd || die "Docker Engine is not installed; this machine has only the client. Install Docker Engine $min_major or newer: $install_docs"
    step "Starting Docker Engine (log: $ENGINE_LOG_FILE)"
    remove_stale_state
    mount_cgroups
    mkdir -p "$(dirname "$ENGINE_LOG_FILE")"
    setsid dockerd >>"$ENGINE_LOG_FILE" 2>&1 </dev/null &
    pid=$!
    # setsid forks if it already leads a process group, so $pid may differ from the PID in the daemon's pid file.
    until engine_responds; do
      waited=$((waited + 1))
      if [ "$waited" -gt 60 ]; then
        tail -n 20 "$ENGINE_LOG_FILE" >&2
        die "Docker Engine did not start within 60 s; see the messages above. Its log: $ENGINE_LOG_FILE"
      fi
      sleep 1
    done
    cat /var/run/docker.pid >"$ENGINE_PID_FILE" 2>/dev/null || echo "$pid" >"$ENGINE_PID_FILE"
  fi
}

check_version() {
  local version
  version="$("$DOCKER" version --format '{{.Server.Version}}')"
  [ "${version%%.*}" -ge "$min_major" ] \
    || die "Docker Engine $version is too old. Update it to $min_major or newer: $install_docs"
}

ensure_engine() {
  if engine_responds; then check_version; return 0; fi
  if use_docker && { "$DOCKER" version 2>&1 || true; } | grep -qi 'permission denied'; then
    die "The user $(id -un) lacks permission to use Docker. Run sudo usermod -aG docker $(id -un), then log in again."
  fi
  if [ -n "${DOCKER_HOST:-}" ]; then
    die "The Docker Engine at DOCKER_HOST=$DOCKER_HOST is not responding. Start it, or unset DOCKER_HOST."
  fi
  is_root || die "Docker Engine is not running, and only root can install or start it. Start Docker Engine $min_major or newer, or run this command as root."
  if ! use_docker || ! have dockerd; then
    can_apt || die "Docker Engine is missing, and this machine has no apt to install it. Install Docker Engine $min_major or newer: $install_docs"
    require_disk /var/lib 5
    install_engine
    use_docker || die "Docker was installed, but its compose and buildx plugins were not found. Install Docker yourself: $install_docs"
  fi
  engine_responds || start_engine
  engine_responds || die "Docker Engine was started but is not responding. Its log: $ENGINE_LOG_FILE"
  check_version
}

if engine_responds; then check_version; else with_machine_lock engine ensure_engine; fi
