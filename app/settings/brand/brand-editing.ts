/** Saves the brand from the admin area. */

import { type Document, NOT_SAVED, StaleError, type Versioned } from '../../editing/document.ts';
import { type Merge, type MergePath, mergeThreeWay } from '../../ui/lib/three-way-merge.ts';
import { readSettings, type SavedSettings, SETTING_TOASTS, saveSetting } from '../setting-document.ts';
import { accentCss, accentTokens } from './accent.ts';
import { LIGHT } from './brand.ts';
import { brandSchema } from './brand-assets.ts';
import type { BrandLogo, LogoPicture } from './brand-logo.ts';
import { parseLogo } from './logo.ts';

/** Values of the brand form. */
export interface Brand {
  /** #rrggbb */
  accent: string;
  logo: Omit<BrandLogo, 'light'> & { light: LogoPicture | null };
}

const NO_LOGO: Brand['logo'] = { light: null, dark: null, showsName: true };

/** The rows that the form is saved in. */
const KEYS = ['brand_accent', 'brand_logo'] as const;

/** Returns the brand that saved settings make. Its version is that of both rows. */
export function heldBrand(saved: SavedSettings): Versioned<Brand> {
  const text = (key: (typeof KEYS)[number]) => saved.get(key)?.content ?? '';
  return {
    content: { accent: accentFrom(text('brand_accent')), logo: logoFrom(text('brand_logo')) },
    version: KEYS.map((key) => saved.get(key)?.version ?? NOT_SAVED).join(' '),
  };
}

/** Returns the accent of a saved text: the built-in one where it is empty. */
export function accentFrom(text: string): string {
  return text.trim() || LIGHT.accent;
}

/** Returns the logo of a saved text: none where it names no uploaded picture. */
export function logoFrom(text: string): Brand['logo'] {
  return parseLogo(text) ?? NO_LOGO;
}

/** Accent and logo, whichever was changed. A value that is the built-in one is saved as empty. */
export const brandDocument: Document = {
  kind: 'site_settings',
  one: 'setting',
  place: 'settings/brand',
  schema: brandSchema,
  toasts: SETTING_TOASTS,
  shownBy: [['site_settings']],
  fromRow: ({ setting_key, setting_value }) =>
    setting_key === 'brand_logo'
      ? { logo: logoFrom(String(setting_value)) }
      : { accent: accentFrom(String(setting_value)) },
  toRow: textsOf,
  load: loadBrand,
  save: async (content: Brand, opened) => {
    const current = await loadBrand();
    if (current.version !== opened?.version) throw new StaleError(current);
    const [before, after] = [textsOf(current.content), textsOf(content)];
    const versions = current.version.split(' ');
    for (const [index, key] of KEYS.entries()) {
      if (after[key] === before[key]) continue;
      const setting = { content: after[key], version: versions[index] ?? NOT_SAVED };
      versions[index] = (await saveSetting(key, setting, loadBrand)) ?? NOT_SAVED;
    }
    showAccent(content.accent);
    return versions.join(' ');
  },
  merge: mergeBrands,
};

async function loadBrand(): Promise<Versioned<Brand>> {
  return heldBrand(await readSettings(KEYS));
}

function textsOf({ accent, logo }: Brand): Record<(typeof KEYS)[number], string> {
  return {
    brand_accent: accent === LIGHT.accent ? '' : accent,
    brand_logo: logo.light ? JSON.stringify(logo) : '',
  };
}

/** Merges what two people made of the brand. A picture is one thing, whatever is known of it. */
export function mergeBrands(
  base: Brand,
  mine: Brand,
  theirs: Brand,
  takesTheirs?: (path: MergePath) => boolean,
): Merge<Brand> {
  const pictures = [base, mine, theirs].flatMap(({ logo }) => [logo.light, logo.dark]);
  const pictureAt = (address: string) => pictures.find((picture) => picture?.address === address) ?? null;
  const merge = mergeThreeWay(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs), takesTheirs);
  const { colour, logoOnLightGrounds, logoOnDarkGrounds, nameBesideTheLogo } = merge.value;
  const light = pictureAt(logoOnLightGrounds);
  // A logo for dark grounds goes with one for light grounds.
  const dark = light && pictureAt(logoOnDarkGrounds);
  return { ...merge, value: { accent: colour, logo: { light, dark, showsName: nameBesideTheLogo } } };
}

/** Returns the fields with the names that a person reads in the question. */
function fieldsOf({ accent, logo }: Brand) {
  return {
    colour: accent,
    logoOnLightGrounds: logo.light?.address ?? '',
    logoOnDarkGrounds: logo.dark?.address ?? '',
    nameBesideTheLogo: logo.showsName,
  };
}

/** Writes the rules of tokens for an accent colour; none for the built-in one, and for one that is refused. */
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
