/**
 * The ways to sign in that are switched on beside address and password. The server says so in the head of every page, where
 * there are any, so that the sign-in page asks nothing.
 */
import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../api/host/site-host.ts';

export interface OfferedWays {
  /** Names of providers, as the authentication service has them. */
  providers: string[];
  /** Chains whose wallets may sign in. */
  chains: Chain[];
  /** True when people may link providers to their account. */
  linking: boolean;
  /** True when the site sends text messages. */
  phone: boolean;
}

export type Chain = 'ethereum' | 'solana';

interface ProviderChoice {
  /** As the authentication service names it. */
  name: string;
  label: string;
}

/** The ways that are on, and that this browser can go. */
export interface WaysToSignIn {
  providers: ProviderChoice[];
  /** Chains whose wallets may sign in and of which this browser has one. */
  wallets: Chain[];
  linking: boolean;
  phone: boolean;
}

export const NO_WAYS: WaysToSignIn = { providers: [], wallets: [], linking: false, phone: false };

const META = 'ways-to-sign-in';

/** Longest wait of a page for the authentication service of a project, in milliseconds. */
const PATIENCE_MS = 4000;

/**
 * Reads the ways that are on, as JSON; null when none is, or when the service does not answer: the form then says so
 * itself.
 */
export const readOfferedWays = createIsomorphicFn()
  .server(async (): Promise<string | null> => {
    const { apiUrl, publishableKey, fetch, remember } = requireSiteHost();
    try {
      return await remember(META, async () => {
        const headers = { apikey: publishableKey };
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const response = await fetch(new Request(`${apiUrl}/auth/v1/settings`, { headers, signal }));
        if (!response.ok) throw new Error(`The authentication service answered ${response.status}`);
        const ways = waysOf(await response.json());
        return ways.providers.length + ways.chains.length > 0 || ways.linking || ways.phone
          ? JSON.stringify(ways)
          : null;
      });
    } catch {
      return null;
    }
  })
  .client(async (): Promise<string | null> => {
    return document.querySelector<HTMLMetaElement>(`meta[name="${META}"]`)?.content ?? null;
  });

/** Returns the meta tag that tells the browser; none when nothing is on. */
export function offeredWaysMetaTags(ways: string | null | undefined): { name: string; content: string }[] {
  return ways ? [{ name: META, content: ways }] : [];
}

/** Keys of the settings that are no providers. */
const OTHER_KEYS = new Set(['email', 'phone', 'anonymous_users', 'web3_ethereum', 'web3_solana']);

/** Answer of `GET /auth/v1/settings`, as far as it is read here. */
interface ServiceSettings {
  external?: Record<string, unknown>;
  manual_linking_enabled?: unknown;
}

function waysOf({ external = {}, manual_linking_enabled }: ServiceSettings): OfferedWays {
  const providers = Object.keys(external).filter((name) => external[name] === true && !OTHER_KEYS.has(name));
  return {
    providers,
    chains: (['ethereum', 'solana'] as const).filter((chain) => external[`web3_${chain}`] === true),
    // A hosted project does not tell.
    linking: manual_linking_enabled === undefined ? providers.length > 0 : manual_linking_enabled === true,
    phone: external['phone'] === true,
  };
}
