# Pincer in a container: one image for the gateway and for single commands. `docker build -t pincer .`
# Nothing of yours is in it: config, keys and everything that lasts come by volumes and variables when it runs (deploy/compose.yaml).
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY packages ./packages
COPY channels ./channels
COPY web ./web
# The image's own Node builds it; no package runs anything while it is installed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsdown.config.ts ./
COPY scripts ./scripts
COPY bin ./bin
COPY src ./src
RUN node scripts/build-if-needed.ts --without-docs
# Last: a changed word of the documentation builds nothing else again.
COPY docs ./docs
RUN node scripts/docs/build-docs.ts

FROM ${NODE_IMAGE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates tini \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY LICENSE package.json ./
COPY bin ./bin
COPY --from=build /source/dist ./dist
# The terminal for programs has native code and is the one package that is not bundled.
COPY --from=build /source/node_modules/@lydell ./node_modules/@lydell
# For whichever user it runs as: what belongs to group 0 may be used by any uid that is in it.
RUN mkdir -p /home/pincer/.pincer/workspace \
 && chown -R 1000:0 /home/pincer \
 && chmod -R 770 /home/pincer
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    HOME=/home/pincer \
    PINCER_HOME=/home/pincer/.pincer \
    PINCER_BIND=lan
USER 1000:0
VOLUME ["/home/pincer/.pincer"]
EXPOSE 18650
STOPSIGNAL SIGTERM
# Whether the gateway answers; a channel whose network is down is no reason to take everything else down with it (`pincer health` tells of that).
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 \
  CMD ["node", "/app/bin/pincer.mjs", "gateway", "status"]
ENTRYPOINT ["tini", "--", "node", "/app/bin/pincer.mjs"]
CMD ["gateway", "run"]
