/**
 * Enabled sign-in methods besides email and password. The server adds them to the head of every page, so the sign-in
 * page makes no request.
 */
import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../api/host/site-host.ts';

export interface EnabledSignInMethods {
  /** Provider names of the authentication service. */
  providers: string[];
  /** Chains with wallet sign-in. */
  chains: Chain[];
  /** True if users can link providers to their account. */
  linking: boolean;
  /** True if text messages are enabled. */
  phone: boolean;
}

export type Chain = 'ethereum' | 'solana';

interface ProviderChoice {
  /** Identifier at the authentication service. */
  name: string;
  label: string;
}

/** Sign-in methods that are enabled and supported by this browser. */
export interface SignInMethods {
  providers: ProviderChoice[];
  /** Enabled chains with a wallet in this browser. */
  wallets: Chain[];
  linking: boolean;
  phone: boolean;
}

export const NO_METHODS: SignInMethods = { providers: [], wallets: [], linking: false, phone: false };

const META = 'ways-to-sign-in';

/** Timeout for the settings of a hosted project, in milliseconds. */
const TIMEOUT_MS = 4000;

/**
 * Reads the enabled methods as JSON. Returns null if none are enabled or the service does not respond. The form also
 * works without these methods.
 */
export const readEnabledSignInMethods = createIsomorphicFn()
  .server(async (): Promise<string | null> => {
    const { apiUrl, publishableKey, fetch, remember } = requireSiteHost();
    try {
      return await remember(META, async () => {
        const headers = { apikey: publishableKey };
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const response = await fetch(new Request(`${apiUrl}/auth/v1/settings`, { headers, signal }));
        if (!response.ok) throw new Error(`The authentication service returned ${response.status}`);
        const methods = parseMethods(await response.json());
        return methods.providers.length + methods.chains.length > 0 || methods.linking || methods.phone
          ? JSON.stringify(methods)
          : null;
      });
    } catch {
      return null;
    }
  })
  .client(async (): Promise<string | null> => {
    return document.querySelector<HTMLMetaElement>(`meta[name="${META}"]`)?.content ?? null;
  });

/** Returns a meta tag with the enabled methods, if any. */
export function enabledSignInMethodsMetaTags(methods: string | null | undefined): { name: string; content: string }[] {
  return methods ? [{ name: META, content: methods }] : [];
}

/** Keys of `external` in the settings that are not providers. */
const OTHER_KEYS = new Set(['email', 'phone', 'anonymous_users', 'web3_ethereum', 'web3_solana']);

/** Relevant part of `GET /auth/v1/settings`. */
interface ServiceSettings {
  external?: Record<string, unknown>;
  manual_linking_enabled?: unknown;
}

function parseMethods({ external = {}, manual_linking_enabled }: ServiceSettings): EnabledSignInMethods {
  const providers = Object.keys(external).filter((name) => external[name] === true && !OTHER_KEYS.has(name));
  return {
    providers,
    chains: (['ethereum', 'solana'] as const).filter((chain) => external[`web3_${chain}`] === true),
    // Hosted projects do not include this setting.
    linking: manual_linking_enabled === undefined ? providers.length > 0 : manual_linking_enabled === true,
    phone: external['phone'] === true,
  };
}
