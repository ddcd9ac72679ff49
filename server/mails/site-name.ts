import type { Queryable } from '@signalfjord/backend';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';

/** Reads the name of the site from the settings. */
export async function siteName(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ setting_value: string }>(
    `select setting_value from public.site_settings where setting_key = 'site_name' and setting_value <> ''`,
  );
  return rows[0]?.setting_value ?? DEFAULT_SITE_NAME;
}

/** Reads the contact address for Reply-To from the settings, or undefined. */
export async function contactEmail(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query<{ address: string }>(
    `select trim(setting_value) as address from public.site_settings
     where setting_key = 'contact_email' and trim(setting_value) ~ '^[^@[:space:]]+@[^@[:space:]]+$'`,
  );
  return rows[0]?.address;
}
