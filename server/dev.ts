/**
 * Development server (`npm run dev`): serves the site through Vite with hot reload, and the Supabase API on the same
 * port. Node restarts it when packages/, server/ or supabase/ change.
 */
import { createServer } from 'vite';
import { API_PATH } from './api-path.ts';
import { createDomainCheck, DOMAIN_CHECK_PATH } from './domain-check/domain-check-endpoint.ts';
import { readDomainCheckSwitch } from './domain-check/read-switch.ts';
import { apiListener } from './request-listener.ts';
import { runServer } from './run-server.ts';
import { createSiteHost } from './site-host.ts';

await runServer(
  async ({ config, backend: backendPromise, server, log }) => {
    const vite = await createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
    const backend = await backendPromise;
    const handleApi = backend && apiListener(backend.fetch);
    const host = await createSiteHost(config, backend, {
      remember: (_key, read) => read(),
      stylesheet: '',
      countsVisits: false,
    });
    const domainCheck = createDomainCheck({ config, isEnabled: () => readDomainCheckSwitch(host), log });
    return {
      host,
      listener: (request, response) => {
        if (handleApi && API_PATH.test(request.url ?? '')) void handleApi(request, response);
        else if (request.method === 'POST' && request.url === DOMAIN_CHECK_PATH) domainCheck(request, response);
        else vite.middlewares(request, response);
      },
    };
  },
  { shutdownMs: 100 },
);
