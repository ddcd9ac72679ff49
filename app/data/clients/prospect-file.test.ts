import { expect, test } from 'vitest';
import { readProspects } from './prospect-file.ts';

function chosen(...parts: BlobPart[]) {
  return readProspects(new File(parts, 'a.csv'));
}

test('Columns are found by their names, in any order, and a name may come in two of them', async () => {
  const text =
    'Job Title;first_name;Last Name;Company;Website;Email\nCEO;Kari;Moe;Acme;https://www.Acme.no/om;Kari@acme.no\n';
  expect(await chosen(text)).toEqual([
    { line: 2, company: 'Acme', domain: 'acme.no', person: 'Kari Moe, CEO', address: 'kari@acme.no' },
  ]);
  expect(await chosen('Navn,E-post\nOla Dal,ola@blåbær.no\n\n"Per\nLie",=cmd()\n')).toEqual([
    { line: 2, company: '', domain: '', person: 'Ola Dal', address: 'ola@xn--blbr-roah.no' },
    { line: 4, company: '', domain: '', person: 'Per\nLie', address: '=cmd()' },
  ]);
});

test('A file without addresses and domains, too large or in another encoding is refused', async () => {
  await expect(chosen('Name,City\nKari,Oslo\n')).rejects.toThrow('names no column “Email”');
  await expect(chosen('')).rejects.toThrow('names no column “Email”');
  await expect(chosen('Email\n', 'a@b.no\n'.repeat(5001))).rejects.toThrow('more than 5,000 rows');
  await expect(chosen('Email\n', 'x'.repeat(5 * 1024 * 1024))).rejects.toThrow('larger than 5 MB');
  await expect(chosen(new Uint8Array([69, 109, 97, 105, 108, 10, 0xe6]))).rejects.toThrow('not in UTF-8');
});
