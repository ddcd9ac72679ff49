import { expect, test } from 'vitest';
import { LIGHT } from './brand.ts';
import { type Brand, mergeBrands, readSavedBrand } from './brand-editing.ts';

const picture = (name: string, width = 90) => ({
  address: `/storage/v1/object/public/content-media/${name}.svg`,
  width,
  height: 30,
});
const brand = (values: Partial<Brand['logo']>, accent: string = LIGHT.accent): Brand => ({
  accent,
  logo: { light: null, dark: null, showsName: true, ...values },
});

test('Merges concurrent changes to the brand and never mixes the fields of two logos', () => {
  const base = brand({ light: picture('old') });
  const mine = brand({ light: picture('mine', 300) });
  const theirs = brand({ light: picture('old'), dark: picture('night'), showsName: false }, '#c8102e');
  const merge = mergeBrands(base, mine, theirs);
  expect(merge.conflicts).toEqual([]);
  expect(merge.value).toEqual(
    brand({ light: picture('mine', 300), dark: picture('night'), showsName: false }, '#c8102e'),
  );
});

test('Reports a conflict if both editors change the logo for the same background', () => {
  const base = brand({});
  const theirs = brand({ light: picture('theirs', 60), dark: picture('night') });
  const merge = mergeBrands(base, brand({ light: picture('mine', 300) }), theirs);
  expect(merge.conflicts.map(({ path }) => path)).toEqual([['logoOnLightBackgrounds']]);
  expect(merge.value.logo.light).toEqual(picture('mine', 300));
  expect(mergeBrands(base, brand({ light: picture('mine') }), theirs, () => true).value).toEqual(theirs);
});

test('Removing the logo for light backgrounds also removes the one for dark backgrounds', () => {
  const base = brand({ light: picture('theirs', 60), dark: picture('night') });
  const theirs = brand({ light: picture('theirs', 60), dark: picture('other') });
  expect(mergeBrands(base, brand({}), theirs).value).toEqual(brand({}));
});

test('The brand’s version combines the versions of its two settings', () => {
  expect(readSavedBrand(new Map())).toEqual({ content: brand({}), version: 'none none' });
  const saved = new Map([['brand_accent', { content: '#c8102e', version: '2026-11-22T09:00:00+00:00' }]]);
  expect(readSavedBrand(saved)).toEqual({ content: brand({}, '#c8102e'), version: '2026-11-22T09:00:00+00:00 none' });
});
