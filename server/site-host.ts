import { randomBytes } from 'node:crypto';
import { gateDigest } from '../app/lib/gate-digest.ts';
import type { GateChallenge, SiteHost } from '../app/lib/site-host.ts';
import type { Config } from '../backend/config.ts';
import type { Backend } from '../backend/create-backend.ts';
import { PUBLISHABLE_KEY } from '../backend/http/keys.ts';

const GATE_ITERATIONS = 300_000;
const VERSION_LENGTH = 12;

/** What the application is told about its surroundings. Without a backend it talks to the project at SUPABASE_URL. */
export async function createSiteHost(
  config: Config,
  backend: Backend | null,
  given: Pick<SiteHost, 'remember' | 'stylesheet' | 'countsVisits'>,
): Promise<SiteHost> {
  const shared = {
    ...given,
    siteUrl: config.SITE_URL ?? null,
    gate: config.PREVIEW_GATE ? await gateChallenge(config) : null,
    preview: null,
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

async function gateChallenge({ PREVIEW_PASSCODE, SITE_URL }: Config): Promise<GateChallenge> {
  const salt = randomBytes(16).toString('base64');
  // Grants outlive this process, so what tells their passcode from another cannot have a salt of this process.
  const versionSalt = btoa(`version of the passcode of ${SITE_URL ?? 'this site'}`);
  const [digest, version] = await Promise.all([
    gateDigest(PREVIEW_PASSCODE, salt, GATE_ITERATIONS),
    gateDigest(PREVIEW_PASSCODE, versionSalt, GATE_ITERATIONS),
  ]);
  return { salt, iterations: GATE_ITERATIONS, digest, version: version.slice(0, VERSION_LENGTH) };
}
