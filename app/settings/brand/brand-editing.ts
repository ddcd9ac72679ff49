/** Loads, merges and saves the brand settings. */

import { type Document, NOT_SAVED, StaleError, type Versioned } from '../../editing/document.ts';
import { type Merge, type MergePath, mergeThreeWay } from '../../ui/lib/three-way-merge.ts';
import { readSettings, type SavedSettings, SETTING_TOASTS, saveSetting } from '../setting-document.ts';
import { accentCss, accentTokens } from './accent.ts';
import { LIGHT } from './brand.ts';
import { brandSchema } from './brand-assets.ts';
import type { BrandLogo, LogoPicture } from './brand-logo.ts';
import { parseLogo } from './logo.ts';

/** Form values. */
export interface Brand {
  /** #rrggbb */
  accent: string;
  logo: Omit<BrandLogo, 'light'> & { light: LogoPicture | null };
}

const NO_LOGO: Brand['logo'] = { light: null, dark: null, showsName: true };

/** Keys of the settings that store the form values. */
const KEYS = ['brand_accent', 'brand_logo'] as const;

/** Combines the saved brand settings. The version consists of the versions of both rows. */
export function readSavedBrand(saved: SavedSettings): Versioned<Brand> {
  const text = (key: (typeof KEYS)[number]) => saved.get(key)?.content ?? '';
  return {
    content: { accent: parseAccent(text('brand_accent')), logo: logoFrom(text('brand_logo')) },
    version: KEYS.map((key) => saved.get(key)?.version ?? NOT_SAVED).join(' '),
  };
}

/** Returns the saved accent colour, or the built-in one if the text is empty. */
export function parseAccent(text: string): string {
  return text.trim() || LIGHT.accent;
}

/** Parses a saved logo. Returns an empty logo unless it is an uploaded picture. */
export function logoFrom(text: string): Brand['logo'] {
  return parseLogo(text) ?? NO_LOGO;
}

/** Saves the accent and the logo if they changed. Built-in values are saved as empty. */
export const brandDocument: Document = {
  kind: 'site_settings',
  singular: 'setting',
  formKey: 'settings/brand',
  schema: brandSchema,
  toasts: SETTING_TOASTS,
  invalidatedQueryKeys: [['site_settings']],
  fromRow: ({ setting_key, setting_value }) =>
    setting_key === 'brand_logo'
      ? { logo: logoFrom(String(setting_value)) }
      : { accent: parseAccent(String(setting_value)) },
  toRow: toSettingTexts,
  load: loadBrand,
  save: async (content: Brand, openedVersion) => {
    const current = await loadBrand();
    if (current.version !== openedVersion?.version) throw new StaleError(current);
    const [before, after] = [toSettingTexts(current.content), toSettingTexts(content)];
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
  return readSavedBrand(await readSettings(KEYS));
}

function toSettingTexts({ accent, logo }: Brand): Record<(typeof KEYS)[number], string> {
  return {
    brand_accent: accent === LIGHT.accent ? '' : accent,
    brand_logo: logo.light ? JSON.stringify(logo) : '',
  };
}

/** Merges concurrent changes to the brand. The fields of two logos are never mixed. */
export function mergeBrands(
  base: Brand,
  mine: Brand,
  theirs: Brand,
  selectsTheirs?: (path: MergePath) => boolean,
): Merge<Brand> {
  const pictures = [base, mine, theirs].flatMap(({ logo }) => [logo.light, logo.dark]);
  const pictureAt = (address: string) => pictures.find((picture) => picture?.address === address) ?? null;
  const merge = mergeThreeWay(toMergeFields(base), toMergeFields(mine), toMergeFields(theirs), selectsTheirs);
  const { colour, logoOnLightBackgrounds, logoOnDarkBackgrounds, nameBesideTheLogo } = merge.value;
  const light = pictureAt(logoOnLightBackgrounds);
  // A logo for dark backgrounds requires one for light backgrounds.
  const dark = light && pictureAt(logoOnDarkBackgrounds);
  return { ...merge, value: { accent: colour, logo: { light, dark, showsName: nameBesideTheLogo } } };
}

/** Returns the form values as fields. The merge dialog derives its labels from their names. */
function toMergeFields({ accent, logo }: Brand) {
  return {
    colour: accent,
    logoOnLightBackgrounds: logo.light?.address ?? '',
    logoOnDarkBackgrounds: logo.dark?.address ?? '',
    nameBesideTheLogo: logo.showsName,
  };
}

/** Returns the CSS for an accent colour, which is empty for the built-in accent or an invalid colour. */
export function buildAccentRules(accent: string): string {
  const tokens = accentTokens(accent);
  return tokens ? accentCss(tokens) : '';
}

/** Applies a new accent colour to the open page. */
function showAccent(accent: string): void {
  const style = document.querySelector<HTMLStyleElement>('style[data-href="accent"]');
  if (style?.sheet) style.sheet.disabled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(buildAccentRules(accent));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((other) => other !== accentSheet), sheet];
  accentSheet = sheet;
}

let accentSheet: CSSStyleSheet | undefined;
