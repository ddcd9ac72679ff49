import { expect, test } from 'vitest';
import { findFirstEmail } from './first-email.ts';

test.each([
  ['my email is john@acme.com, send a proposal', 'john@acme.com'],
  ['Write to kari.nordmann+web@firma.co.uk.', 'kari.nordmann+web@firma.co.uk'],
  ['<ola@example.no>', 'ola@example.no'],
  ['is it a@b.no?', 'a@b.no'],
  ['mailto:a@b.no', 'a@b.no'],
  ['no address @ all', ''],
  ['me@localhost', ''],
  [`${'a'.repeat(4000)}`, ''],
  [`${'a@'.repeat(2000)}`, ''],
])('The first address in %j is %j', (text, email) => {
  expect(findFirstEmail(text)).toBe(email);
});
