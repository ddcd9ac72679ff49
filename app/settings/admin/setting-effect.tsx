import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, dayOf } from '../../ui/lib/zoned-times.ts';
import { Logo } from '../brand/logo.tsx';
import { siteSettingDefaults } from '../read.ts';
import { SITE_SETTINGS } from '../settings.ts';
import { siteSettingsQuery } from '../site-settings.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Text or preview that shows the effect of the typed value. The help text of a switch explains its effect. */
const EFFECTS: Partial<Record<string, (value: string, site: { name: string; today: string }) => ReactNode>> = {
  site_name: (value) => <Logo name={value} className="text-base" />,
  site_tagline: (value, { name }) => `Title of the home page: ${name} · ${value}`,
  contact_phone: (value) =>
    value === SITE_SETTINGS.contact_phone.default && 'Only an example. It is not shown on any page.',
  seo_description: (value) => `${value.length} characters`,
  chat_daily_cap: (value) =>
    Number(value) === 0 ? 'The chat is turned off.' : 'When the cap is reached, the chat is closed until midnight.',
  chat_allowed_origins: (value) =>
    value.trim() === '' ? 'Any site may embed the chat.' : 'Other sites show an empty frame.',
  chat_languages: (value) =>
    value
      .split(',')
      .flatMap((code) => (/^[a-z]{2}$/.test(code.trim()) ? (languageNames.of(code.trim()) ?? []) : []))
      .join(', '),
  chat_retention_days: (value, { today }) =>
    /^\d{1,5}$/.test(value) &&
    `A conversation from today will be deleted on ${formatDate(addDays(today, Number(value)))}.`,
  answer_time: (value) => `“We will reply ${value && `${value} `}by email to …”`,
  lead_webhook_url: (value) =>
    URL.canParse(value)
      ? `New leads are sent to ${new URL(value).host}`
      : 'No webhook is set up, so new leads are not sent anywhere.',
};

/** Effect of the typed value, shown beside the buttons. */
export function SettingEffect({ settingKey }: { settingKey: string }) {
  const value = String(useWatch({ name: 'value' }));
  const { site_name: name, site_time_zone: zone } = useQuery(siteSettingsQuery).data ?? siteSettingDefaults;
  const effect = EFFECTS[settingKey]?.(value, { name, today: dayOf(new Date().toISOString(), zone) });
  return effect ? <p className="min-w-0 py-1.5 text-sm text-muted wrap-anywhere">{effect}</p> : null;
}
