#!/usr/bin/env bash
# Make sure of a Node that runs TypeScript by itself: the system's, or one in .tools/.
set -euo pipefail
# shellcheck source=scripts/setup/lib.sh
source "$(dirname "$0")/lib.sh"

own="$TOOLS/node_modules/node/bin/node"

ensure_node() {
  if [ -x "$own" ] && node_is_recent "$own"; then return 0; fi
  if have node && node_is_recent "$(command -v node)"; then return 0; fi
  have npm || die "Node 22.18 or newer is needed, and there is no npm to bring it. Install Node 24 from https://nodejs.org and start again."

  local arch package
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) arch=linux-x64 ;;
    Linux-aarch64) arch=linux-arm64 ;;
    *) die "Node 22.18 or newer is needed and cannot be brought for $(uname -sm). Install Node 24 from https://nodejs.org and start again." ;;
  esac
  package="node-$arch"
  step "Bringing Node 24 into .tools/ (the system's is older than 22.18)"
  mkdir -p "$TOOLS"
  [ -f "$TOOLS/package.json" ] || printf '{ "private": true }\n' >"$TOOLS/package.json"
  # The package of the architecture carries the binary itself, so no install script has to run.
  quietly npm install --prefix "$TOOLS" --ignore-scripts --no-audit --no-fund "$package@24" \
    || die "could not get $package from the npm registry. Check the network, or install Node 24 by hand."
  ln -sfn "$package" "$TOOLS/node_modules/node"
  node_is_recent "$own" || die "the Node that was brought into .tools/ does not run here. Install Node 24 by hand."
}

ensure_node
