import { expect, test } from 'vitest';
import { LIGHT } from './brand.ts';
import { type Brand, heldBrand, mergeBrands } from './brand-editing.ts';

const picture = (name: string, width = 90) => ({
  address: `/storage/v1/object/public/content-media/${name}.svg`,
  width,
  height: 30,
});
const brand = (values: Partial<Brand['logo']>, accent: string = LIGHT.accent): Brand => ({
  accent,
  logo: { light: null, dark: null, showsName: true, ...values },
});

test('What two people changed of the brand comes together, a picture as one thing', () => {
  const base = brand({ light: picture('old') });
  const mine = brand({ light: picture('mine', 300) });
  const theirs = brand({ light: picture('old'), dark: picture('night'), showsName: false }, '#c8102e');
  const merge = mergeBrands(base, mine, theirs);
  expect(merge.conflicts).toEqual([]);
  expect(merge.value).toEqual(
    brand({ light: picture('mine', 300), dark: picture('night'), showsName: false }, '#c8102e'),
  );
});

test('Two pictures for one ground are asked about once, and a logo for dark grounds does not stay alone', () => {
  const base = brand({});
  const theirs = brand({ light: picture('theirs', 60), dark: picture('night') });
  const asked = mergeBrands(base, brand({ light: picture('mine', 300) }), theirs);
  expect(asked.conflicts.map(({ path }) => path)).toEqual([['logoOnLightGrounds']]);
  expect(asked.value.logo.light).toEqual(picture('mine', 300));
  expect(mergeBrands(base, brand({ light: picture('mine') }), theirs, () => true).value).toEqual(theirs);
  expect(mergeBrands(theirs, brand({}), brand({ light: picture('theirs', 60), dark: picture('other') })).value).toEqual(
    brand({}),
  );
});

test('The version of the brand is that of both its settings', () => {
  expect(heldBrand(new Map())).toEqual({ content: brand({}), version: 'none none' });
  const saved = new Map([['brand_accent', { content: '#c8102e', version: '2026-11-22T09:00:00+00:00' }]]);
  expect(heldBrand(saved)).toEqual({ content: brand({}, '#c8102e'), version: '2026-11-22T09:00:00+00:00 none' });
});
