# Clean test machine for scripts/fresh.sh: the base image plus git, with its Node replaced by Node 20 and npm 10.
ARG BASE
FROM ${BASE}
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git ca-certificates \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
RUN npm install --prefix /tmp/node --ignore-scripts --no-audit --no-fund \
      "node-linux-$(node --print process.arch)@20" npm@10 \
 && rm -rf /usr/local/bin/* /usr/local/lib/node_modules /opt/yarn* \
 && mkdir /usr/local/lib/node_modules \
 && mv /tmp/node/node_modules/node-linux-*/bin/node /usr/local/bin/ \
 && mv /tmp/node/node_modules/npm /usr/local/lib/node_modules/ \
 && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
 && rm -rf /tmp/node /root/.npm \
 && node --version && npm --version
WORKDIR /root
