/** Replaces the {site} placeholder in built-in texts with the site name. Shared with the assistant. */
import { SITE_NAME_PLACEHOLDER } from '../../supabase/functions/ai-chat/site-name.ts';

export { fillSiteName } from '../../supabase/functions/ai-chat/site-name.ts';

/** Explains {site} to editors. Undefined if the value does not contain {site}. */
export function siteNameHint(value: unknown): string | undefined {
  const hasPlaceholder = JSON.stringify(value)?.includes(SITE_NAME_PLACEHOLDER);
  return hasPlaceholder ? `${SITE_NAME_PLACEHOLDER} is replaced with the site’s name.` : undefined;
}
