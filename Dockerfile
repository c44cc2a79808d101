# Node runs the sources of the server as they are. The apps are programs for browsers, built in a stage of their own:
# the image has neither their libraries nor what builds them.
FROM node:26-slim AS apps

WORKDIR /app

COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts

COPY apps ./apps
COPY packages/client/src ./packages/client/src
COPY src ./src
RUN node apps/build.ts

FROM node:26-slim

ENV NODE_ENV=production \
    MARQUEE_HOST=0.0.0.0 \
    MARQUEE_PORT=8080 \
    MARQUEE_DATA=/data \
    NODE_COMPILE_CACHE=/app/node_modules/.cache/marquee

# Tickets are drawn as pictures. These fonts have Latin, Greek, Cyrillic, Hebrew and Arabic letters.
RUN apt-get update && apt-get install --yes --no-install-recommends fontconfig-config fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app

# Install scripts are left out: the only one would fetch a second Node, and sharp's binary is a package of its own.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

COPY LICENSE ./
COPY src ./src
COPY --from=apps /app/dist ./dist

# A new named volume takes the owner of this folder.
RUN mkdir -p /data "$NODE_COMPILE_CACHE" && chown node:node /data "$NODE_COMPILE_CACHE"
VOLUME /data
USER node

# Fills the cache of compiled code, so that the first start is as fast as all others.
RUN node --max-semi-space-size=8 --heap-growing-percent=50 src/cli.ts help > /dev/null

EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MARQUEE_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# `docker run IMAGE` serves; any other command of the program can be named instead of it.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "src/cli.ts"]
CMD ["serve"]
