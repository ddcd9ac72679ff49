import { randomBytes } from 'node:crypto';
import { type Backend, type Config, PUBLISHABLE_KEY } from '@signalfjord/backend';
import { gateDigest } from '../app/api/gate/digest.ts';
import type { GateChallenge, SiteHost } from '../app/api/host/site-host.ts';
import { getCaptchaChoice } from './captcha.ts';

const GATE_ITERATIONS = 300_000;
const VERSION_LENGTH = 12;

/** Response statuses of an unavailable backend or its proxy. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);

/**
 * Creates the host object of the application. If there is no backend, it uses the project at SUPABASE_URL.
 * `onFailedRead` is called when a read fails because the backend is unavailable.
 */
export async function createSiteHost(
  config: Config,
  backend: Backend | null,
  dependencies: Pick<SiteHost, 'remember' | 'stylesheet' | 'countsVisits'> & { onFailedRead?: () => void },
): Promise<SiteHost> {
  const { onFailedRead = () => undefined, ...rest } = dependencies;
  const commonDependencies = {
    ...rest,
    siteUrl: config.SITE_URL ?? null,
    gate: config.PREVIEW_GATE ? await gateChallenge(config) : null,
    captcha: getCaptchaChoice(config),
    preview: null,
  };
  if (backend) {
    return {
      ...commonDependencies,
      apiUrl: 'http://backend.internal',
      publicApiUrl: '',
      fetch: reportFailures((request) => backend.fetch(request), onFailedRead),
      publishableKey: PUBLISHABLE_KEY,
    };
  }
  const { SUPABASE_URL = '', SUPABASE_PUBLISHABLE_KEY = '' } = config;
  return {
    ...commonDependencies,
    apiUrl: SUPABASE_URL,
    publicApiUrl: SUPABASE_URL,
    fetch: reportFailures((request) => fetch(request), onFailedRead),
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
  };
}

/** Wraps fetch to report the responses of an unavailable backend. */
function reportFailures(read: SiteHost['fetch'], onFailedRead: () => void): SiteHost['fetch'] {
  return async (request) => {
    try {
      const response = await read(request);
      if (UNAVAILABLE_STATUSES.has(response.status)) onFailedRead();
      return response;
    } catch (error) {
      onFailedRead();
      throw error;
    }
  };
}

async function gateChallenge({ PREVIEW_PASSCODE, SITE_URL }: Config): Promise<GateChallenge> {
  const salt = randomBytes(16).toString('base64');
  // Grants outlive this process, so the version of the passcode cannot use a random salt.
  const versionSalt = btoa(`version of the passcode of ${SITE_URL ?? 'this site'}`);
  const [digest, version] = await Promise.all([
    gateDigest(PREVIEW_PASSCODE, salt, GATE_ITERATIONS),
    gateDigest(PREVIEW_PASSCODE, versionSalt, GATE_ITERATIONS),
  ]);
  return { salt, iterations: GATE_ITERATIONS, digest, version: version.slice(0, VERSION_LENGTH) };
}
