/** Sign-in providers from the configuration, and custom providers created with the admin API. */
import type { AuthorizationServer } from 'oauth4webapi';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { type AzureSettings, providerName } from '../../provider-settings.ts';
import { authError } from '../error-codes.ts';
import { findCustomProvider, listCustomProviders } from './custom-provider-rows.ts';
import { customOpenIdSettings, customProvider } from './custom-providers.ts';
import { createGithubProvider } from './github.ts';
import { createOpenIdIssuers, type OpenIdIssuers } from './openid-issuers.ts';
import { createOpenIdProvider, type OpenIdSettings } from './openid-provider.ts';
import { appleProfile, azureProfile, googleProfile, standardProfile } from './profiles.ts';
import type { Provider } from './provider.ts';

/** Names of the supported providers. */
const SUPPORTED_NAMES = ['apple', 'azure', 'github', 'google', 'linkedin_oidc'] as const;

/** Providers that Supabase Auth supports and this server does not. */
const UNSUPPORTED_NAMES = [
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'gitlab',
  'kakao',
  'keycloak',
  'linkedin',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'workos',
  'x',
  'zoom',
];

const MICROSOFT = 'https://login.microsoftonline.com';
const MICROSOFT_ISSUER = /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\/([0-9a-f-]{36})\/(?:v2\.0)?$/;
/** The tenant of all personal Microsoft accounts. */
const CONSUMERS_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

export interface Providers {
  /** Lists for each provider whether redirect sign-in is enabled. */
  status(): Promise<Record<string, boolean>>;
  /** @throws ApiError 400 validation_failed with Supabase Auth's message if the provider is not enabled */
  require(name: string): Promise<Provider>;
  /** Settings of the configured OpenID issuers whose ID tokens are accepted, by name. */
  openId: ReadonlyMap<string, OpenIdSettings>;
  /**
   * Returns the settings of an enabled OpenID provider created with the admin API.
   * @throws ApiError 400 validation_failed or provider_disabled
   */
  customOpenId(name: string): Promise<OpenIdSettings>;
  issuers: OpenIdIssuers;
}

export function createProviders(config: Config, database: Database): Providers {
  const issuers = createOpenIdIssuers();
  const openId = new Map(openIdSettings(config).map((settings) => [settings.name, settings]));
  const providers = new Map<string, Provider>();
  for (const settings of openId.values()) {
    // Without a secret, ID tokens are accepted but codes cannot be redeemed. Custom issuers may have no secret.
    if (settings.clientSecret || settings.name.startsWith('custom:')) {
      providers.set(settings.name, createOpenIdProvider(settings, issuers));
    }
  }
  for (const entry of config.AUTH_PROVIDERS) {
    if ('issuer' in entry || entry.name !== 'github') continue;
    const { client_id: clientId, client_secret: clientSecret, url } = entry;
    providers.set('github', createGithubProvider({ clientId, clientSecret, url }));
  }

  const knownNames = new Set<string>([...SUPPORTED_NAMES, ...UNSUPPORTED_NAMES]);
  const allowsPrivateNetworks = config.AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS;
  return {
    async status() {
      const rows = await listCustomProviders(database, null);
      const enabled = new Set([...providers.keys(), ...rows.filter((row) => row.enabled).map((row) => row.identifier)]);
      return Object.fromEntries([...knownNames, ...enabled].map((name) => [name, enabled.has(name)]));
    },
    async require(requestedName) {
      const name = requestedName.toLowerCase();
      const provider = providers.get(name);
      if (provider) return provider;
      const custom = name.startsWith('custom:') ? await findCustomProvider(database, name) : undefined;
      if (custom?.enabled) return customProvider(custom, issuers, allowsPrivateNetworks);
      const reason = custom ? `custom provider ${name} is disabled` : reasonFor(name, knownNames, openId);
      throw authError('validation_failed', `Unsupported provider: ${reason}`);
    },
    openId,
    async customOpenId(name) {
      const row = await findCustomProvider(database, name);
      const quotedName = JSON.stringify(name);
      if (!row) throw authError('validation_failed', `Custom provider ${quotedName} not found`);
      if (!row.enabled) throw authError('provider_disabled', `Custom provider ${quotedName} is disabled`, 400);
      const settings = customOpenIdSettings(row, allowsPrivateNetworks);
      if (!settings) throw authError('validation_failed', `Provider ${quotedName} is not an OIDC provider`);
      return settings;
    },
    issuers,
  };
}

function reasonFor(name: string, knownNames: Set<string>, openId: Map<string, OpenIdSettings>): string {
  if (openId.has(name)) return 'missing OAuth secret';
  if (knownNames.has(name)) return 'provider is not enabled';
  if (name.startsWith('custom:')) return `custom provider ${name} not found`;
  return `Provider ${name} could not be found`;
}

function openIdSettings({ AUTH_PROVIDERS }: Config): OpenIdSettings[] {
  return AUTH_PROVIDERS.flatMap((entry): OpenIdSettings[] => {
    if ('issuer' in entry) {
      const { issuer, client_id: clientId, client_secret: clientSecret, scopes } = entry;
      const name = providerName(entry);
      return [{ name, issuer, clientIds: [clientId], clientSecret, scopes, toProfile: standardProfile }];
    }
    if (entry.name === 'github') return [];
    if (entry.name === 'azure') return [azureSettings(entry)];
    const client = { clientIds: entry.client_id, clientSecret: entry.client_secret };
    return [{ name: entry.name, ...client, ...ISSUERS[entry.name] }];
  });
}

const ISSUERS = {
  google: { issuer: 'https://accounts.google.com', scopes: ['email', 'profile'], toProfile: googleProfile },
  apple: {
    issuer: 'https://appleid.apple.com',
    scopes: ['email', 'name'],
    toProfile: appleProfile,
    // Apple rejects these scopes with any other response mode.
    parameters: { response_mode: 'form_post' },
  },
  linkedin_oidc: {
    issuer: 'https://www.linkedin.com/oauth',
    scopes: ['email', 'profile'],
    toProfile: standardProfile,
    sendsSecretInBody: true,
    usesPkce: false,
    usesNonce: false,
  },
} satisfies Record<string, Omit<OpenIdSettings, 'name' | 'clientIds' | 'clientSecret'>>;

function azureSettings({ client_id: clientIds, client_secret: clientSecret, tenant }: AzureSettings): OpenIdSettings {
  const isSingleTenant = /^[0-9a-f-]{36}$/.test(tenant);
  const metadata: AuthorizationServer = {
    issuer: `${MICROSOFT}/${tenant}/v2.0`,
    authorization_endpoint: `${MICROSOFT}/${tenant}/oauth2/v2.0/authorize`,
    token_endpoint: `${MICROSOFT}/${tenant}/oauth2/v2.0/token`,
  };
  return {
    name: 'azure',
    issuer: metadata.issuer,
    clientIds,
    clientSecret,
    scopes: ['email', 'profile'],
    toProfile: azureProfile(isSingleTenant),
    sendsSecretInBody: true,
    metadata,
    // With the tenant `common` or `organizations`, the issuer of a token is the user's own tenant.
    acceptsIssuer(issuer) {
      const tenantId = MICROSOFT_ISSUER.exec(issuer)?.[1];
      if (!tenantId) return false;
      if (tenant === 'common') return true;
      if (tenant === 'organizations') return tenantId !== CONSUMERS_TENANT;
      return tenantId === (tenant === 'consumers' ? CONSUMERS_TENANT : tenant);
    },
  };
}
