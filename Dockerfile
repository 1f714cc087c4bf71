# Site, control plane and agent in one image, since they are one code: docker-compose.yml says which is which and what
# each may do. BASE is any glibc system with Node 24 and npm; tests build on one made from the machine they run on.
ARG BASE=node:24-bookworm-slim
FROM ${BASE}
ENV NODE_ENV=production
# the pictures of pages that are shared (site/cards): letters of scripts that our own face lacks; zstd packs servers, iptables keeps them
# from private networks, e2fsprogs makes their disks
RUN if command -v apt-get >/dev/null; then apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends fontconfig-config fonts-noto-core fonts-noto-cjk zstd restic iptables e2fsprogs mount \
  && rm -rf /var/lib/apt/lists/*; fi
WORKDIR /cairn
COPY package.json package-lock.json ./
COPY patches patches
COPY bin/patched.mjs bin/patched.mjs
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error && npm run --silent patch && rm -rf /root/.npm
# what runs and what the build reads, by name: a secret beside it (.env) must never lie in a layer
COPY astro.config.mjs astro-i18next.config.cjs tsconfig.json ./
COPY agents agents
COPY bin bin
COPY content content
COPY control-plane control-plane
COPY db db
COPY site site
# the rest of the sources, which the site offers as the license asks
COPY LICENSE README.md ARCHITECTURE.md CONTRIBUTING.md Dockerfile .dockerignore docker-compose.yml ./
COPY deploy deploy
# what /build names: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
RUN COMMIT=${COMMIT} node bin/build.ts && mkdir -p /data && chown 1000:1000 /data
# code belongs to root: what runs as somebody else cannot change it
USER 1000:1000
# programs of backups start twice as fast with it
ENV NODE_COMPILE_CACHE=/tmp/node-compile-cache
ENV HOST=0.0.0.0 PORT=4321 DATA_DIR=/data SEED=none HOSTING=off
VOLUME /data
EXPOSE 4321
CMD ["node", "--enable-source-maps", "--scavenger-max-new-space-capacity-mb=2", "--max-semi-space-size=8", "site/server.ts"]
