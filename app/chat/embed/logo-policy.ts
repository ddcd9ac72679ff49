import { isPlainOrigin, policyDirectives } from '../../api/host/page-policy.ts';
import type { BrandLogo } from '../../settings/brand/brand-logo.ts';

/**
 * Builds the directives of a document that shows nothing of the content but the owner's logo, for a route whose header
 * takes the place of the root's. The first match is the root's.
 */
export function directivesForLogoOnly(matches: readonly { loaderData?: unknown }[]): string {
  const root = matches[0]?.loaderData as { logo?: BrandLogo | null; accentStyle?: { hash: string } | null } | undefined;
  const addresses = [root?.logo?.light, root?.logo?.dark].map((picture) => picture?.address ?? '');
  // Empty where the site serves it itself.
  const hosts = addresses
    .map((address) => (URL.canParse(address) ? new URL(address).origin : ''))
    .filter(isPlainOrigin);
  return policyDirectives({ pictures: [...new Set(hosts)], frames: [], media: [] }, root?.accentStyle?.hash);
}
