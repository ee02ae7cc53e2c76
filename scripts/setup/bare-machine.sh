#!/usr/bin/env bash
# bare-machine.sh COMMAND…: prepares the scripts/fresh.sh container, in which it runs, and runs the command in a clone.
set -euo pipefail
# A single stream keeps the lines in order.
exec 2>&1

# Uses the host's access to the package registries.
[ ! -f /fresh/npmrc ] || cp /fresh/npmrc /root/.npmrc
[ ! -f /fresh/bundle.pem ] || cp /fresh/bundle.pem /etc/ssl/certs/ca-certificates.crt
mkdir -p /usr/local/share/ca-certificates
cp /fresh/ca/*.crt /usr/local/share/ca-certificates/ 2>/dev/null || true
export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
if [ -s /fresh/mirror ]; then
  rm -f /etc/apt/sources.list.d/*
  (. /etc/os-release && echo "deb $(cat /fresh/mirror) $VERSION_CODENAME main" >/etc/apt/sources.list)
  cp /fresh/apt.conf /etc/apt/apt.conf.d/99machine
fi

# Makes container registries unreachable: the engine pulls through a proxy that does not exist. Builds ignore this proxy.
mkdir -p /etc/docker
echo '{"proxies": {"http-proxy": "http://127.0.0.1:9", "https-proxy": "http://127.0.0.1:9"}}' >/etc/docker/daemon.json

# In cgroup v2, a group that contains processes cannot enable controllers for its children, so its processes move to a child.
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
  mkdir -p /sys/fs/cgroup/init
  while read -r pid; do echo "$pid" >/sys/fs/cgroup/init/cgroup.procs 2>/dev/null || true; done </sys/fs/cgroup/cgroup.procs
  sed -e 's/ / +/g' -e 's/^/+/' /sys/fs/cgroup/cgroup.controllers >/sys/fs/cgroup/cgroup.subtree_control
fi

git -c advice.detachedHead=false -c init.defaultBranch=main clone --quiet /fresh/koda.bundle /root/koda
cd /root/koda
exec "$@"
