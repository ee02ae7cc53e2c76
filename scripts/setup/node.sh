#!/usr/bin/env bash
# Provides a Node that runs TypeScript without a flag: the system's, or one that it installs into .tools/.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

local_node="$TOOLS/node_modules/node/bin/node"

ensure_node() {
  if [ -x "$local_node" ] && node_is_recent "$local_node"; then return 0; fi
  if have node && node_is_recent "$(command -v node)"; then return 0; fi
  local advice="Install Node 24 from https://nodejs.org and try again."
  have npm || die "Node 22.19 or newer is missing, and this machine has no npm to install it. $advice"

  local arch package
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) arch=linux-x64 ;;
    Linux-aarch64) arch=linux-arm64 ;;
    *) die "Node 22.19 or newer is missing, and Koda cannot install it on $(uname -sm). $advice" ;;
  esac
  package="node-$arch"
  step "Installing Node 24 into .tools/ (the system has no Node 22.19 or newer)"
  mkdir -p "$TOOLS"
  [ -f "$TOOLS/package.json" ] || printf '{ "private": true }\n' >"$TOOLS/package.json"
  # This package contains the binary itself, so no install script has to run.
  quietly npm install --prefix "$TOOLS" --ignore-scripts --no-audit --no-fund "$package@24" \
    || die "$package could not be installed from the npm registry; see the messages above. Check the network, or install Node 24 from https://nodejs.org."
  ln -sfn "$package" "$TOOLS/node_modules/node"
  node_is_recent "$local_node" || die "The Node in .tools/ cannot run on this machine. $advice"
}

ensure_node
