/** The process: parses the configuration, opens the backend, serves assets, backend and site, shuts down cleanly. */
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { parseConfig } from '../backend/config.ts';
import { createBackend } from '../backend/create-backend.ts';
import { PUBLISHABLE_KEY } from '../backend/http/keys.ts';

const config = parseConfig(process.env);
const backend = await createBackend(config);

globalThis.signalfjordHost = {
  apiUrl: 'http://backend.internal',
  publicApiUrl: '',
  fetch: backend.fetch,
  publishableKey: PUBLISHABLE_KEY,
  siteUrl: config.SITE_URL ?? null,
  gate: null,
};

const siteEntry = new URL('../dist/server/server.js', import.meta.url).href;
const site = ((await import(siteEntry)) as { default: { fetch(request: Request): Promise<Response> } }).default;

const app = new Hono();
for (const path of ['/rest/v1/*', '/auth/v1/*', '/storage/v1/*', '/functions/v1/*']) {
  app.all(path, (context) => backend.fetch(context.req.raw));
}
app.use('/assets/*', serveStatic({ root: './dist/client' }));
app.get('/favicon.ico', (context) => context.body(null, 204));
app.all('*', (context) => site.fetch(context.req.raw));

const server = serve({ fetch: app.fetch, port: config.PORT, hostname: config.HOST }, ({ port }) => {
  console.log(`Signalfjord is at http://${config.HOST}:${port}`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close(() => void backend.close()));
}
