# syntax=docker/dockerfile:1
# Image of the site. It runs with the built-in database, your own Postgres or a Supabase project (docs/deployment.md).
#   docker build -t signalfjord .
#   docker run --read-only --tmpfs /tmp -v signalfjord:/data -p 127.0.0.1:3000:3000 -e SITE_URL=https://example.com signalfjord

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/backend/package.json packages/backend/
# No required package needs an install script. The build skips its own install if the copied lock file is unchanged.
RUN npm ci --ignore-scripts --omit=dev && cp package-lock.json node_modules/.last-lock
COPY . .
# The image already contains Node, so remove the copy from npm.
RUN npm run build && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
# UV_THREADPOOL_SIZE is the number of processors plus two. scripts/server-process.mjs explains the other variables.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    UV_THREADPOOL_SIZE=6 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=1048576
WORKDIR /app
# The files belong to root, so the server, which runs as another user, cannot change its own code.
COPY --from=build /app ./
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "server/main.ts"]
