/** Site name in built-in texts, which contain {site}. The assistant uses the same function. */
import { SITE_NAME_PLACEHOLDER } from '../../supabase/functions/ai-chat/site-name.ts';

export { withSiteName } from '../../supabase/functions/ai-chat/site-name.ts';

/** Explains {site} to editors. Undefined if the value does not contain it. */
export function siteNameHint(value: unknown): string | undefined {
  const isNamed = JSON.stringify(value)?.includes(SITE_NAME_PLACEHOLDER);
  return isNamed ? `${SITE_NAME_PLACEHOLDER} is replaced by the site’s name.` : undefined;
}
