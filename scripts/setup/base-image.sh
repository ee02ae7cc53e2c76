#!/usr/bin/env bash
# Provides the base image for every Dockerfile. Pulls it if a container registry is reachable; otherwise builds it from Debian
# packages and the npm registry, under the same name.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

use_docker || die "Docker with its compose and buildx plugins was not found. Run scripts/setup/engine.sh first."

have_image() { "$DOCKER" image inspect "$1" >/dev/null 2>&1; }

pull_base() {
  # A short check first, so that a machine without a registry does not wait for the pull's long timeout.
  with_timeout 15 "$DOCKER" manifest inspect "$BASE_IMAGE" >/dev/null 2>&1 </dev/null || return 1
  step "Pulling $BASE_IMAGE"
  quietly with_timeout 900 "$DOCKER" pull "$BASE_IMAGE"
}

build_base() {
  local unreachable="$BASE_IMAGE could not be pulled, because no container registry is reachable."
  is_root || die "$unreachable Only root can build the image locally instead. Check the network, or run this command as root."
  have npm || die "$unreachable To build the image locally instead, you need npm. Check the network, or install npm."
  if ! have debootstrap; then
    can_apt || die "$unreachable To build the image locally instead, you need debootstrap. Check the network, or install debootstrap."
    apt_install debootstrap || die "debootstrap could not be installed; see the messages above."
  fi

  local arch npm_arch
  arch="$(dpkg --print-architecture)"
  case "$arch" in
    amd64) npm_arch=linux-x64 ;;
    arm64) npm_arch=linux-arm64 ;;
    *) die "$unreachable The image can be built locally only on amd64 and arm64, but this machine is $arch. Check the network." ;;
  esac

  # /tmp may be small and in memory.
  work="$(mktemp -d /var/tmp/koda-base.XXXXXX)"
  trap 'rm -rf "$work"' EXIT

  if ! have_image debian:trixie-slim; then
    step "No container registry is reachable: building debian:trixie-slim with debootstrap (about a minute)"
    mirror="$(debian_mirror)"
    quietly debootstrap --variant=minbase --include=ca-certificates trixie "$work/root" "$mirror" \
      || die "debian:trixie-slim could not be built; see the messages above. Check that $mirror is reachable."
    rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/* \
      "$work"/root/usr/share/doc/* "$work"/root/usr/share/man/* "$work"/root/var/log/*
    tar -C "$work/root" -c . | "$DOCKER" import --change 'CMD ["bash"]' - debian:trixie-slim >/dev/null
    rm -rf "$work/root"
  fi

  step "Building $BASE_IMAGE from debian:trixie-slim and the npm registry"
  mkdir -p "$work/context/ca"
  # The host may reach the registries through a proxy with its own certificate authority.
  cp /usr/local/share/ca-certificates/*.crt "$work/context/ca/" 2>/dev/null || true
  cp /etc/ssl/certs/ca-certificates.crt "$work/context/bundle.pem"
  quietly npm install --prefix "$work/context/npm" --ignore-scripts --no-audit --no-fund "node-$npm_arch@24" npm@11 \
    || die "Node and npm could not be installed from the npm registry; see the messages above."
  cat >"$work/context/Dockerfile" <<DOCKERFILE
FROM debian:trixie-slim
COPY npm/node_modules/node-$npm_arch/bin/node /usr/local/bin/node
COPY npm/node_modules/npm /usr/local/lib/node_modules/npm
COPY ca/ /usr/local/share/ca-certificates/
COPY bundle.pem /tmp/bundle.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\
 && ln -s node /usr/local/bin/nodejs \\
 && update-ca-certificates >/dev/null 2>&1; mv /tmp/bundle.pem /etc/ssl/certs/ca-certificates.crt \\
 && groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node \\
 && mkdir -p /usr/local/etc && printf 'cafile=/etc/ssl/certs/ca-certificates.crt\n' >/usr/local/etc/npmrc \\
 && node --version && npm --version
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
DOCKERFILE
  quietly "$DOCKER" build -t "$BASE_IMAGE" "$work/context" || die "$BASE_IMAGE could not be built; see the messages above."
}

ensure_base_image() {
  have_image "$BASE_IMAGE" || pull_base || build_base
}

have_image "$BASE_IMAGE" || with_machine_lock base-image ensure_base_image
