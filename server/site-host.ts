import { randomBytes } from 'node:crypto';
import { gateDigest } from '../app/lib/gate-digest.ts';
import type { GateChallenge, SiteHost } from '../app/lib/site-host.ts';
import type { Config } from '../backend/config.ts';
import type { Backend } from '../backend/create-backend.ts';
import { PUBLISHABLE_KEY } from '../backend/http/keys.ts';

const GATE_ITERATIONS = 300_000;

/** What the application is told about its surroundings. Without a backend it talks to the project at SUPABASE_URL. */
export async function createSiteHost(
  config: Config,
  backend: Backend | null,
  given: Pick<SiteHost, 'remember' | 'stylesheet'>,
): Promise<SiteHost> {
  const shared = {
    ...given,
    siteUrl: config.SITE_URL ?? null,
    gate: config.PREVIEW_GATE ? await gateChallenge(config.PREVIEW_PASSCODE) : null,
  };
  if (backend) {
    return {
      ...shared,
      apiUrl: 'http://backend.internal',
      publicApiUrl: '',
      fetch: backend.fetch,
      publishableKey: PUBLISHABLE_KEY,
    };
  }
  const { SUPABASE_URL = '', SUPABASE_PUBLISHABLE_KEY = '' } = config;
  return {
    ...shared,
    apiUrl: SUPABASE_URL,
    publicApiUrl: SUPABASE_URL,
    fetch: (request) => fetch(request),
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
  };
}

async function gateChallenge(passcode: string): Promise<GateChallenge> {
  const salt = randomBytes(16).toString('base64');
  return { salt, iterations: GATE_ITERATIONS, digest: await gateDigest(passcode, salt, GATE_ITERATIONS) };
}
