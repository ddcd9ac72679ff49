import { expect, test } from 'vitest';
import { hashListFile, keepLines, readProspects, unsupportedColumns } from './prospect-file.ts';

function parse(...parts: BlobPart[]) {
  return readProspects(new File(parts, 'a.csv'));
}

test('Finds columns by name in any order, and combines first and last name', async () => {
  const text =
    'Job Title;first_name;Last Name;Company;Website;Email\nCEO;Kari;Moe;Acme;https://www.Acme.no/om;Kari@acme.no\n';
  expect(await parse(text)).toEqual([
    { line: 2, company: 'Acme', domain: 'acme.no', person: 'Kari Moe, CEO', address: 'kari@acme.no', note: '' },
  ]);
  expect(await parse('Navn,E-post\nOla Dal,ola@blåbær.no\n\n"Per\nLie",=cmd()\n')).toEqual([
    { line: 2, company: '', domain: '', person: 'Ola Dal', address: 'ola@xn--blbr-roah.no', note: '' },
    { line: 4, company: '', domain: '', person: 'Per\nLie', address: '=cmd()', note: '' },
  ]);
});

test.each([
  [
    'Instantly',
    'email,firstName,lastName,companyName,companyDomain,jobTitle\nkari.n@gmail.com,Kari,Nordmann,Blocked AS,blocked-test.no,CTO',
    { company: 'Blocked AS', domain: 'blocked-test.no', person: 'Kari Nordmann, CTO', address: 'kari.n@gmail.com' },
  ],
  [
    'lemlist',
    'email,firstName,lastName,companyName,companyWebsite,jobTitle\na@b.no,A,B,C,https://c.no/x,D',
    { company: 'C', domain: 'c.no', person: 'A B, D', address: 'a@b.no' },
  ],
  [
    'Apollo',
    'First Name,Last Name,Title,Company,Company Name for Emails,Email,Email Status,Website\nA,B,C,D,E,f@g.no,Verified,http://g.no',
    { company: 'D', domain: 'g.no', person: 'A B, C', address: 'f@g.no' },
  ],
  [
    'Google Contacts',
    'First Name,Last Name,Organization Name,Organization Title,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value\nA,B,C,D,Work,,e@f.no',
    { company: 'C', domain: '', person: 'A B, D', address: 'e@f.no' },
  ],
  [
    'HubSpot',
    'Contact Email,Primary Email,Company Domain Name\n,a@b.no,b.no',
    { company: '', domain: 'b.no', person: '', address: 'a@b.no' },
  ],
  [
    'Swedish, with lines above the header',
    'sep=;\nExport\n\nFörnamn;Efternamn;Företag;E-postadress;\nÅsa;Ek;Ek AB;asa@ek.se;',
    { company: 'Ek AB', domain: '', person: 'Åsa Ek', address: 'asa@ek.se' },
  ],
  [
    'German',
    'Vorname;Nachname;Firma;E-Mail-Adresse;Webseite\nJörg;Groß;Groß GmbH;j@gross.de;gross.de',
    { company: 'Groß GmbH', domain: 'gross.de', person: 'Jörg Groß', address: 'j@gross.de' },
  ],
])('Finds the columns of %s', async (_tool, text, row) => {
  const [prospect] = await parse(text);
  expect(prospect).toMatchObject(row);
});

test('Reads a file in Windows-1252', async () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('Name,Email\n'),
    0xc5,
    ...new TextEncoder().encode('se,a@b.no'),
  ]);
  expect((await parse(bytes))[0]?.person).toBe('Åse');
});

test('Rejects a file that is too large or has no addresses or domains', async () => {
  await expect(parse('Name,City\nKari,Oslo\n')).rejects.toThrow('no column named “Email”');
  await expect(parse('Name,Email Status\nKari,Verified\n')).rejects.toThrow('no column named “Email”');
  await expect(parse('')).rejects.toThrow('no column named “Email”');
  await expect(parse('Email\n', 'a@b.no\n'.repeat(5001))).rejects.toThrow('more than 5,000 rows');
  await expect(parse('Email\n', 'x'.repeat(5 * 1024 * 1024))).rejects.toThrow('larger than 5 MB');
});

test('Reads the reason for each row and lists the columns that are not stored', async () => {
  const text = 'Email,Why,City,Work Email,Phone\na@b.no,"Hires two reps",Oslo,c@d.no,900\n';
  expect(await parse(text)).toMatchObject([{ address: 'a@b.no', note: 'Hires two reps' }]);
  expect(await parse('E-post;Begrunnelse\na@b.no;Ny fabrikk\n')).toMatchObject([{ note: 'Ny fabrikk' }]);
  expect(await unsupportedColumns(new File([text], 'a.csv'))).toEqual(['City', 'Phone']);
});

test('Keeps the selected lines unchanged and rejects a different file', async () => {
  const text =
    'sep=;\r\nExport\r\nE-post;Telefon;Merknad\r\na@b.no;+47 900;"x ""y""\nz"\r\n\r\nc@d.no;=1+1; å \r\ne@f.no;;';
  const file = new File([text], 'a.csv');
  const hash = (await hashListFile(file)) ?? '';
  expect((await readProspects(file)).map(({ line }) => line)).toEqual([4, 7, 8]);
  const head = 'sep=;\r\nExport\r\nE-post;Telefon;Merknad\r\n';
  expect(await keepLines(file, hash, [4, 8])).toBe(`${head}a@b.no;+47 900;"x ""y""\nz"\r\ne@f.no;;`);
  expect(await keepLines(file, hash, [7])).toBe(`${head}c@d.no;=1+1; å \r\n`);
  expect(await keepLines(file, hash, [4, 7, 8])).toBe(text.replace('\r\n\r\n', '\r\n'));
  await expect(keepLines(new File([`${text}\n`], 'b.csv'), hash, [4])).rejects.toThrow(
    'b.csv is not the file that was uploaded for this version',
  );
});
