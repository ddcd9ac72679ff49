import { expect, test } from 'vitest';
import { type Footer, footerDefaults } from '../../../content/pages/footer.ts';
import { footerEditingSchema } from './footer-schema.ts';

function withLegalLink(url: string): Footer {
  return { ...footerDefaults, bottom: { ...footerDefaults.bottom, legalLinks: [{ label: 'Terms', url }] } };
}

test('Accepts the built-in footer', () => {
  expect(footerEditingSchema.parse(footerDefaults)).toEqual(footerDefaults);
});

test.each(['/terms', '#', 'https://example.com', 'mailto:a@example.com', 'tel:+4700', ' /terms '])(
  'Accepts a link to %j',
  (url) => {
    expect(footerEditingSchema.safeParse(withLegalLink(url)).success).toBe(true);
  },
);

test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'example.com', ''])(
  'Rejects a link to %j with an error at the URL field',
  (url) => {
    const { error } = footerEditingSchema.safeParse(withLegalLink(url));
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['bottom.legalLinks.0.url']);
  },
);
