/** The setting AUTH_PROVIDERS: OAuth and OpenID Connect providers for sign-in, as a JSON list. */
import { z } from 'zod';

/** An external URL. It must use https unless it is on this machine. */
const externalUrl = z
  .url({ protocol: /^https?$/ })
  .transform((value) => value.replace(/\/+$/, ''))
  .refine((value) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(value));

const secret = z.string().min(1);

/** An owner with several apps has one client per app. ID tokens of all clients are accepted. */
const clientIds = z.union([
  z
    .string()
    .min(1)
    .transform((id) => [id]),
  z.array(z.string().min(1)).min(1),
]);

const openIdProvider = z.strictObject({
  name: z.enum(['apple', 'google', 'linkedin_oidc']),
  client_id: clientIds,
  client_secret: secret.optional(),
});

const azure = z.strictObject({
  name: z.literal('azure'),
  client_id: clientIds,
  client_secret: secret.optional(),
  /** Microsoft accounts that can sign in. */
  tenant: z.union([z.enum(['common', 'organizations', 'consumers']), z.guid().toLowerCase()]).default('common'),
});

const github = z.strictObject({
  name: z.literal('github'),
  client_id: z.string().min(1),
  client_secret: secret,
  /** URL of a GitHub Enterprise Server. */
  url: externalUrl.optional(),
});

const customProvider = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,48}$/),
  // The URL is not normalized, because issuers are compared exactly.
  issuer: z.url().refine((value) => externalUrl.safeParse(value).success),
  client_id: z.string().min(1),
  client_secret: secret.optional(),
  scopes: z.array(z.string().regex(/^[!#-[\]-~]+$/)).default(['email', 'profile']),
});

const provider = z.union([openIdProvider, azure, github, customProvider]);

export type ProviderSettings = z.output<typeof provider>;
export type AzureSettings = z.output<typeof azure>;

/** Returns the name of a provider in requests. */
export function providerName(settings: ProviderSettings): string {
  return 'issuer' in settings ? `custom:${settings.name}` : settings.name;
}

export const providerList = z
  .string()
  .transform((value, context) => {
    try {
      const parsed: unknown = JSON.parse(value);
      return parsed;
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(
    z
      .array(provider)
      .max(20)
      .refine((entries) => new Set(entries.map(providerName)).size === entries.length),
  );
