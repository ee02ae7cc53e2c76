#!/usr/bin/env bash
# What runs outside containers: the tests' browser, and the tools of the `process` sandbox provider.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

packages=(
  chromium chromium-headless-shell ffmpeg poppler-utils git ripgrep curl unzip
  fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji fonts-liberation
  libgl1-mesa-dri libegl-mesa0 libegl1 libgl1 libgles2
)

headless_shell_here() { have chromium-headless-shell || have chrome-headless-shell; }
browser_here() { have chromium || have chromium-browser || have google-chrome; }

ensure_host_tools() {
  if have dpkg-query; then
    local missing
    missing="$(apt_missing "${packages[@]}")"
    [ -n "$missing" ] || return 0
    if can_apt; then
      step "Installing browser, FFmpeg, poppler, fonts and Mesa"
      apt_install "${packages[@]}" || die "apt could not install: $missing"
      return 0
    fi
  fi
  local lacking=()
  browser_here || lacking+=(chromium)
  headless_shell_here || lacking+=(chromium-headless-shell)
  have ffmpeg || lacking+=(ffmpeg)
  have git || lacking+=(git)
  have rg || lacking+=(ripgrep)
  have curl || lacking+=(curl)
  have unzip || lacking+=(unzip)
  have pdftoppm || lacking+=(poppler-utils)
  [ "${#lacking[@]}" = 0 ] \
    || die "missing on this machine: ${lacking[*]}. Install them (on Debian: sudo apt-get install ${packages[*]}) and start again."
}

if have dpkg-query && [ -z "$(apt_missing "${packages[@]}")" ]; then exit 0; fi
with_machine_lock host-tools ensure_host_tools
