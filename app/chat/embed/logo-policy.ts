import { isPlainOrigin, policyDirectives } from '../../api/host/page-policy.ts';
import type { BrandLogo } from '../../settings/brand/brand-logo.ts';

/**
 * Builds the CSP directives of a document whose only content is the logo, for routes that replace the root's CSP. The
 * first match is the root.
 */
export function directivesForLogoOnly(matches: readonly { loaderData?: unknown }[]): string {
  const root = matches[0]?.loaderData as { logo?: BrandLogo | null; accentStyle?: { hash: string } | null } | undefined;
  const logoUrls = [root?.logo?.light, root?.logo?.dark].map((picture) => picture?.address ?? '');
  // Empty if this site serves the logo.
  const hosts = logoUrls.map((url) => (URL.canParse(url) ? new URL(url).origin : '')).filter(isPlainOrigin);
  return policyDirectives({ pictures: [...new Set(hosts)], frames: [], media: [] }, root?.accentStyle?.hash);
}
