#!/usr/bin/env bash
# Make sure that a Docker Engine answers: use the one that is there, start it, or bring it (Debian, as root).
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

# Sandboxes mount a folder of a shared volume (volume-subpath), which Engine 26 introduced.
minimum_major=26

install_engine() {
  local codename mirror list=/etc/apt/sources.list.d/koda-trixie.sources pin=/etc/apt/preferences.d/koda-trixie
  codename="$(debian_codename)"
  case "$codename" in
    bookworm)
      mirror="$(debian_mirror)"
      # Bookworm's own engine is 20.10. Trixie's runs on bookworm; nothing else is taken from there.
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
      die "there is no Docker Engine, and it can be brought only on Debian 12 or newer. Install Docker Engine $minimum_major or newer: https://docs.docker.com/engine/install/" ;;
  esac
  step "Installing Docker Engine from Debian's packages"
  # debootstrap builds the base image if no container registry answers. Installed later, it would wait for the browser's
  # installation, which holds apt for a minute.
  apt_install docker.io docker-cli docker-compose docker-buildx iptables debootstrap \
    || die "Docker Engine could not be installed by apt. Install it by hand: https://docs.docker.com/engine/install/"
}

process_named() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]; }

# After a hard stop of the machine these survive and make a new daemon refuse to start or talk to nobody.
clear_leftovers() {
  local pid
  pid="$(cat /var/run/docker.pid 2>/dev/null || true)"
  if [ -n "$pid" ] && process_named "$pid" dockerd; then return 0; fi
  rm -f /var/run/docker.pid /var/run/docker.sock
  pid="$(cat /run/docker/containerd/containerd.pid 2>/dev/null || true)"
  if [ -z "$pid" ] || ! process_named "$pid" containerd; then
    rm -f /run/docker/containerd/containerd.pid /run/docker/containerd/containerd.sock* 2>/dev/null || true
  fi
  if [ -S /run/containerd/containerd.sock ] && ! pidof containerd >/dev/null 2>&1; then
    rm -f /run/containerd/containerd.sock*
  fi
  local mount
  awk '$2 ~ "^/var/lib/docker/(overlay2|containers|buildkit)|^/run/docker/netns/" {print $2}' /proc/mounts | sort -r \
    | while read -r mount; do umount -l "$mount" 2>/dev/null || true; done
}

# Machines without an init system often lack the cgroup mounts that containers need.
mount_cgroups() {
  grep -q ' /sys/fs/cgroup' /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || true
}

start_engine() {
  local pid waited=0
  if [ -d /run/systemd/system ] && have systemctl; then
    step "Starting Docker Engine"
    quietly systemctl start docker || die "systemctl could not start docker. See: journalctl -u docker"
  else
    have dockerd || die "a Docker client is here, but no Docker Engine answers and dockerd is not installed."
    step "Starting Docker Engine (log: $ENGINE_LOG_FILE)"
    clear_leftovers
    mount_cgroups
    mkdir -p "$(dirname "$ENGINE_LOG_FILE")"
    setsid dockerd >>"$ENGINE_LOG_FILE" 2>&1 </dev/null &
    pid=$!
    # setsid forks when it leads a group already; the daemon's own pid file has the last word.
    until engine_answers; do
      waited=$((waited + 1))
      if [ "$waited" -gt 60 ]; then
        tail -n 20 "$ENGINE_LOG_FILE" >&2
        die "Docker Engine did not come up within 60 s. Its log is $ENGINE_LOG_FILE"
      fi
      sleep 1
    done
    cat /var/run/docker.pid >"$ENGINE_PID_FILE" 2>/dev/null || echo "$pid" >"$ENGINE_PID_FILE"
  fi
}

check_version() {
  local version
  version="$("$DOCKER" version --format '{{.Server.Version}}')"
  [ "${version%%.*}" -ge "$minimum_major" ] \
    || die "Docker Engine is $version; Koda needs $minimum_major or newer. Update it: https://docs.docker.com/engine/install/"
}

ensure_engine() {
  if engine_answers; then check_version; return 0; fi
  if use_docker && { "$DOCKER" version 2>&1 || true; } | grep -qi 'permission denied'; then
    die "Docker is here, but this user may not use it. Add it to the docker group: sudo usermod -aG docker $(id -un), then log in again."
  fi
  if [ -n "${DOCKER_HOST:-}" ]; then die "the Docker Engine at DOCKER_HOST=$DOCKER_HOST does not answer."; fi
  is_root || die "no Docker Engine answers, and only root can bring or start one. Install and start Docker Engine $minimum_major or newer, or run this as root."
  if ! use_docker || ! have dockerd; then
    can_apt || die "there is no Docker Engine, and no apt to bring it. Install Docker Engine $minimum_major or newer: https://docs.docker.com/engine/install/"
    require_disk /var/lib 5
    install_engine
    use_docker || die "Docker was installed, but its client with compose and buildx cannot be found."
  fi
  engine_answers || start_engine
  engine_answers || die "Docker Engine does not answer. Its log is $ENGINE_LOG_FILE"
  check_version
}

if engine_answers; then check_version; else with_machine_lock engine ensure_engine; fi
