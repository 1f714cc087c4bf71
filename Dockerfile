# Site, control plane and supervisor in one image; Postgres is a container of its own (docker-compose.yml).
FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# the pictures of pages that are shared (site/cards): letters of scripts that our own face lacks
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends fontconfig-config fonts-noto-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /cairn
COPY package.json package-lock.json ./
COPY patches patches
COPY bin/patched.mjs bin/patched.mjs
RUN npm ci --include=dev --no-audit --no-fund && npm cache clean --force
COPY . .
RUN mkdir -p /data && chown node:node /data && chown -R node:node /cairn
USER node
RUN node bin/build.ts
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:4321/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "bin/start.mjs"]
