import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, dayOf } from '../../ui/lib/zoned-times.ts';
import { siteSettingDefaults } from '../read-site-settings.ts';
import { type Setting, SITE_SETTINGS } from '../settings.ts';
import { siteNameHint } from '../site-name.ts';
import { siteSettingsQuery } from '../site-settings.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const disjunction = new Intl.ListFormat('en', { type: 'disjunction' });

/** Functions that describe the effect of the current input, by setting key. False shows the help text. */
const EFFECTS: Partial<Record<string, (value: string, site: { name: string; today: string }) => string | false>> = {
  site_tagline: (value, { name }) => `Home page title: ${name} · ${value}`,
  contact_phone: (value) =>
    value === SITE_SETTINGS.contact_phone.default && 'Only an example. It is not shown on any page.',
  seo_description: (value) => `${value.length} of about 150 characters.`,
  chat_daily_cap: (value) => Number(value) === 0 && 'The chat is turned off.',
  chat_allowed_origins: (value) =>
    value.trim() === ''
      ? 'Any site may embed the chat. To restrict this, enter one site address per line.'
      : 'Only these sites may embed the chat. Enter one site address per line.',
  chat_languages: (value) => {
    const names = value
      .split(',')
      .flatMap((code) => (/^[a-z]{2}$/.test(code.trim()) ? (languageNames.of(code.trim()) ?? []) : []));
    return names.length > 0 && `The built-in assistant answers in ${disjunction.format(names)}.`;
  },
  chat_retention_days: (value, { today }) =>
    /^\d{1,5}$/.test(value) && `Today’s conversations will be deleted on ${formatDate(addDays(today, Number(value)))}.`,
  answer_time: (value) => value !== '' && `“We will reply ${value} by email to …”`,
  lead_webhook_url: (value) =>
    URL.canParse(value)
      ? `New leads are sent to ${new URL(value).host}.`
      : 'No webhook is set up, so new leads are not sent anywhere.',
};

interface SettingEffectProps {
  settingKey: string;
  setting: Setting;
}

/** Shows the effect of the current input, or the help text of the setting. */
export function SettingEffect({ settingKey, setting }: SettingEffectProps) {
  const value = String(useWatch({ name: 'value' }));
  const { site_name: name, site_time_zone: zone } = useQuery(siteSettingsQuery).data ?? siteSettingDefaults;
  const effect = EFFECTS[settingKey]?.(value, { name, today: dayOf(new Date().toISOString(), zone) });
  return [effect || setting.help, siteNameHint(value)].filter(Boolean).join(' ');
}
