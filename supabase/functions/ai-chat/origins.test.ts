import { describe, expect, test } from 'vitest';
import { parseOrigins, unreadableOrigin } from './origins.ts';

describe('Allowed origins', () => {
  test.each([
    ['berglaw.no', ['https://berglaw.no']],
    ['HTTPS://BergLaw.no/', ['https://berglaw.no']],
    ['http://berglaw.no', ['http://berglaw.no']],
    ['https://berglaw.no/contact?a=b', ['https://berglaw.no']],
    ['blåbær.no', ['https://xn--blbr-roah.no']],
    ['localhost:3000, 127.0.0.1:8080', ['https://localhost:3000', 'https://127.0.0.1:8080']],
    [
      'berglaw.no,https://other.example:8443\n www.third.example',
      ['https://berglaw.no', 'https://other.example:8443', 'https://www.third.example'],
    ],
  ])('Parses the setting %j', (setting, origins) => {
    expect(parseOrigins(setting)).toEqual(origins);
    expect(unreadableOrigin(setting)).toBeUndefined();
  });

  test.each(['', '  \n,'])('Any site is allowed if the list is empty: %j', (setting) => {
    expect(parseOrigins(setting)).toBe('any');
    expect(unreadableOrigin(setting)).toBeUndefined();
  });

  test.each([
    '*',
    'nonsense',
    'https://',
    'ftp://berglaw.no',
    'javascript:alert(1)',
    'https://me@berglaw.no',
    '*.no',
    'null',
  ])('The list is empty if all of its entries are invalid: %s', (entry) => {
    expect(parseOrigins(entry)).toEqual([]);
    expect(unreadableOrigin(entry)).toBe(entry);
    expect(parseOrigins(`${entry} berglaw.no`)).toEqual(['https://berglaw.no']);
  });
});
