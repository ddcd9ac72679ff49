import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { createSiteBackend } from '../server/site-backend.ts';
import { readSiteContent, type SiteContent } from '../supabase/functions/ai-chat/site-content.ts';
import { removeFolder } from '../tests/support/site.ts';

/** Reads the starter content in the format of the assistant. */
export async function starterContent(): Promise<SiteContent> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
  const backend = await createSiteBackend(parseConfig({ DATA_DIR: folder }), { log: pino({ level: 'silent' }) });
  try {
    return await readSiteContent({
      apiUrl: 'http://localhost',
      publishableKey: PUBLISHABLE_KEY,
      secretKey: backend.keys.secretKey,
      fetch: async (request) => backend.fetch(request),
    });
  } finally {
    await backend.close();
    await removeFolder(folder);
  }
}
