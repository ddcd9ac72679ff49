/** How the admin area saves the brand. */
import { mutationOptions } from '@tanstack/react-query';
import { accentCss, accentTokens } from '../lib/accent.ts';
import { LIGHT } from '../lib/brand.ts';
import type { BrandLogo, LogoPicture } from '../lib/brand-logo.ts';
import { sessionApi } from './api.ts';

/** What the form holds. */
export interface Brand {
  /** #rrggbb */
  accent: string;
  logo: Omit<BrandLogo, 'light'> & { light: LogoPicture | null };
}

/** Saves accent and logo, whichever was changed. What is as built in is saved as empty. */
export const saveBrandMutation = mutationOptions({
  mutationKey: ['site_settings', 'brand'],
  mutationFn: async ({ checked, opened }: { checked: Brand; opened: Brand }): Promise<void> => {
    const api = await sessionApi();
    const before = rowsOf(opened);
    const rows = rowsOf(checked).filter((row, index) => row.setting_value !== before[index]?.setting_value);
    if (rows.length === 0) return;
    await api.from('site_settings').upsert(rows, { onConflict: 'setting_key' }).throwOnError();
  },
  onSuccess: (_nothing, { checked: { accent } }, _result, { client }) => {
    showAccent(accent);
    return client.invalidateQueries({ queryKey: ['site_settings'] });
  },
});

function rowsOf({ accent, logo }: Brand) {
  return [
    { setting_key: 'brand_accent', setting_value: accent === LIGHT.accent ? '' : accent },
    { setting_key: 'brand_logo', setting_value: logo.light ? JSON.stringify(logo) : '' },
  ];
}

/** The rules of tokens for an accent colour; none for the built-in one, and for one that is refused. */
export function rulesOfAccent(accent: string): string {
  const tokens = accentTokens(accent);
  return tokens ? accentCss(tokens) : '';
}

/** Shows an accent colour in this document, which has come with another. */
function showAccent(accent: string): void {
  const style = document.querySelector<HTMLStyleElement>('style[data-href="accent"]');
  if (style?.sheet) style.sheet.disabled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rulesOfAccent(accent));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((other) => other !== shown), sheet];
  shown = sheet;
}

let shown: CSSStyleSheet | undefined;
