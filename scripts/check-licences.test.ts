import { expect, test } from 'vitest';
import { findRejectedLicences } from './check-licences.ts';

const withLicence = (license?: string) =>
  findRejectedLicences({
    packages: { '': {}, 'node_modules/a/node_modules/@b/c': { version: '1.2.3', ...(license && { license }) } },
  });

test.for(['MIT', '(MIT OR CC0-1.0)', 'MIT OR AGPL-3.0', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'])(
  '%s is allowed',
  (licence) => {
    expect(withLicence(licence)).toEqual([]);
  },
);

test.for(['AGPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN LICENSE', 'UNLICENSED', 'MIT OR (GPL-2.0 AND ISC)'])(
  '%s is rejected with the name of the package',
  (licence) => {
    expect(withLicence(licence)).toEqual([
      `@b/c 1.2.3 has ${licence}, which scripts/check-licences.ts does not allow.`,
    ]);
  },
);

test('A package without a declared licence is rejected', () => {
  expect(withLicence()).toEqual([
    '@b/c 1.2.3 has no declared licence, which scripts/check-licences.ts does not allow.',
  ]);
});
