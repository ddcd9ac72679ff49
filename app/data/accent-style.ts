import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../lib/site-host.ts';

/** What comes after the stylesheet where the owner has an accent colour of their own. */
export interface AccentStyle {
  css: string;
  /** As the policy names it. */
  hash: string;
}

/** The style of a saved accent colour; null where the built-in one holds. A document has it from the server. */
export const readAccentStyle = createIsomorphicFn()
  .server(
    (accent: string): Promise<AccentStyle | null> =>
      requireSiteHost().remember(`accent ${accent}`, async () => {
        const { accentCss, accentTokens } = await import('../lib/accent.ts');
        const tokens = accentTokens(accent);
        if (!tokens) return null;
        const css = accentCss(tokens);
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css));
        return { css, hash: `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` };
      }),
  )
  .client(async (_accent: string): Promise<AccentStyle | null> => null);
