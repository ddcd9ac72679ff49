import { expect, test } from 'vitest';
import { csvField } from './csv-field.ts';

test('Fields of an export are quoted where they must be, and no field is a formula', () => {
  expect(csvField('plain text')).toBe('plain text');
  expect(csvField('one, "two"\nthree')).toBe('"one, ""two""\nthree"');
  expect(csvField('=HYPERLINK("https://evil.example")')).toBe('"\'=HYPERLINK(""https://evil.example"")"');
  expect(csvField('+47 900')).toBe("'+47 900");
});
