/** The site's name in built-in texts, which write {site} for it. The assistant fills it in by the same function. */
import { SITE_NAME_PLACEHOLDER } from '../../supabase/functions/ai-chat/site-name.ts';

export { withSiteName } from '../../supabase/functions/ai-chat/site-name.ts';

/** Tells editors what {site} in a text or in content is; undefined where there is none. */
export function siteNameHint(value: unknown): string | undefined {
  const isNamed = JSON.stringify(value)?.includes(SITE_NAME_PLACEHOLDER);
  return isNamed ? `${SITE_NAME_PLACEHOLDER} stands for the site’s name, also when it changes.` : undefined;
}
