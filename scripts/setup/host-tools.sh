#!/usr/bin/env bash
# Installs the tools that run outside containers: the tests' browser, and the tools for the `process` sandbox provider.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

packages=(
  chromium chromium-headless-shell ffmpeg espeak-ng poppler-utils git ripgrep curl unzip
  fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fonts-liberation
  libgl1-mesa-dri libegl-mesa0 libegl1 libgl1 libgles2
)

has_headless_shell() { have chromium-headless-shell || have chrome-headless-shell; }
has_browser() { have chromium || have chromium-browser || have google-chrome; }

ensure_host_tools() {
  if have dpkg-query; then
    local missing_packages
    missing_packages="$(apt_missing "${packages[@]}")"
    [ -n "$missing_packages" ] || return 0
    if can_apt; then
      step "Installing browser, FFmpeg, poppler, fonts and Mesa"
      apt_install "${packages[@]}" || die "apt could not install $missing_packages; see the messages above."
      return 0
    fi
  fi
  local missing=()
  has_browser || missing+=(chromium)
  has_headless_shell || missing+=(chromium-headless-shell)
  have ffmpeg || missing+=(ffmpeg)
  have git || missing+=(git)
  have rg || missing+=(ripgrep)
  have curl || missing+=(curl)
  have unzip || missing+=(unzip)
  have pdftoppm || missing+=(poppler-utils)
  [ "${#missing[@]}" = 0 ] \
    || die "This machine lacks ${missing[*]}. Install the tools and try again. On Debian: sudo apt-get install ${packages[*]}"
}

if have dpkg-query && [ -z "$(apt_missing "${packages[@]}")" ]; then exit 0; fi
with_machine_lock host-tools ensure_host_tools
