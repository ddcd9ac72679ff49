/**
 * Answers load balancers and supervisors: at GET /healthz, whether this process answers at all, and at GET /readyz,
 * whether it should be sent requests. Neither is behind the preview gate, logged or counted.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Phase of the process itself; the parts behind it are asked only while it is `running`. */
type Phase = 'starting' | 'running' | 'stopping';

/** Path that a Supabase project answers with 200 once the site's migrations are applied. */
export const PROJECT_PROBE = '/rest/v1/site_settings?select=setting_key&limit=1';

export interface Health {
  phase: Phase;
  /** The state of each part by its name. Ready is a process whose parts are all 'ok'. */
  read(): Promise<{ isReady: boolean; parts: Record<string, string> }>;
  /** Answers when the request is one of the two, and says so. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
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
    answer(request, response) {
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
