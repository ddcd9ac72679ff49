/**
 * Health endpoints for load balancers and supervisors: GET /healthz (liveness) and GET /readyz (readiness). Both bypass
 * the preview gate, the access log and the metrics.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Phase of the process. Dependencies are only checked while it is `running`. */
type Phase = 'starting' | 'running' | 'stopping';

/** Path that returns 200 from a Supabase project once the migrations of the site are applied. */
export const PROJECT_PROBE = '/rest/v1/site_settings?select=setting_key&limit=1';

export interface Health {
  phase: Phase;
  /** State of each component by name. The process is ready if all are 'ok'. */
  read(): Promise<{ isReady: boolean; parts: Record<string, string> }>;
  /** Handles /healthz and /readyz. @returns false for other requests */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createHealth(readParts: () => Promise<Record<string, string>>): Health {
  const health: Health = {
    phase: 'starting',
    async read() {
      const { phase } = health;
      if (phase !== 'running') return { isReady: false, parts: { process: phase } };
      const parts = await readParts().catch(() => ({ process: 'unknown' }));
      return { isReady: Object.values(parts).every((state) => state === 'ok'), parts };
    },
    handle(request, response) {
      const { method, url = '' } = request;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const path = url.split('?', 1)[0];
      if (path === '/healthz') send(response, 200, { alive: true });
      else if (path === '/readyz') {
        void health
          .read()
          .then(({ isReady, parts }) => send(response, isReady ? 200 : 503, { ready: isReady, ...parts }));
      } else return false;
      return true;
    },
  };
  return health;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body)}\n`);
}
