/** Prospect lists from CSV files. The database validates the rows. */
import { keysOf, recordOf } from '../../ui/lib/keys-of.ts';
import { decodeCsv, filterCsv, plainHeader, readTable } from '../../ui/lib/read-csv.ts';
import { computeSha256 } from '../../ui/lib/sha256.ts';
import { MAX_BYTES, MAX_LINES, normaliseEntry } from '../blocklist/blocklist-file.ts';

export interface Prospect {
  /** Line in the file, starting at 1. */
  line: number;
  company: string;
  /** Empty to use the domain of the address. */
  domain: string;
  /** Name and position. */
  person: string;
  /** May be empty. */
  address: string;
  /** Reason why the row is on the list, shown to the client. May be empty. */
  note: string;
}

/**
 * Column names in exports from lemlist, Smartlead, Instantly, QuickMail, Apollo, HubSpot and Google Contacts. Includes
 * Norwegian, Swedish, Danish and German names. `plainHeader` normalises all names. If several columns match, each row
 * uses the first column with a value.
 */
const COLUMNS = {
  address: [
    ...['email', 'e mail', 'mail', 'email address', 'e mail address', 'work email', 'business email', 'primary email'],
    ...[
      'contact email',
      'lead email',
      'person email',
      'email 1',
      'e mail 1 value',
      'e mail 2 value',
      'secondary email',
    ],
    ...['e post', 'epost', 'e postadresse', 'epostadresse', 'e post adresse', 'mejl', 'mejladress', 'e postadress'],
    ...['epostadress', 'mailadresse', 'e mailadresse', 'e mail adresse'],
  ],
  domain: [
    ...['domain', 'company domain', 'company domain name', 'website', 'company website', 'website url', 'company url'],
    ...['company website url', 'web url', 'url', 'web', 'website 1 value', 'homepage'],
    ...['domene', 'nettside', 'hjemmeside', 'domän', 'webbplats', 'hemsida', 'domæne', 'webseite', 'webadresse'],
  ],
  company: [
    ...['company', 'company name', 'account', 'account name', 'organization', 'organization name', 'organisation'],
    ...['organisation name', 'organization 1 name', 'associated company', 'primary associated company'],
    ...['firma', 'firmanavn', 'selskap', 'selskapsnavn', 'bedrift', 'bedriftsnavn', 'företag', 'företagsnamn', 'bolag'],
    ...['virksomhed', 'virksomhedsnavn', 'firmenname', 'unternehmen'],
  ],
  name: [
    ...['name', 'full name', 'fullname', 'contact name', 'contact', 'person', 'lead name'],
    ...['navn', 'fullt navn', 'kontakt', 'kontaktperson', 'namn', 'fullständigt namn', 'fulde navn', 'ansprechpartner'],
  ],
  firstName: ['first name', 'firstname', 'given name', 'fornavn', 'förnamn', 'vorname'],
  lastName: ['last name', 'lastname', 'family name', 'surname', 'etternavn', 'efternamn', 'efternavn', 'nachname'],
  position: [
    ...['title', 'job title', 'jobtitle', 'position', 'role', 'organization 1 title', 'organization title'],
    ...['tittel', 'stilling', 'stillingstittel', 'rolle', 'titel', 'befattning', 'roll', 'jobtitel', 'funktion'],
  ],
  note: [
    ...['why', 'reason', 'note', 'notes', 'comment', 'comments', 'hvorfor', 'grunn', 'begrunnelse', 'notat', 'merknad'],
    ...['kommentar', 'varför', 'anledning', 'anteckning', 'begrundelse', 'warum', 'grund', 'notiz'],
  ],
} as const;

type Column = keyof typeof COLUMNS;

/**
 * Parses the rows of a CSV file with a header.
 * @throws Error with a message for the user if the file is too large, not a CSV, or has no address or domain column
 */
export async function readProspects(file: File): Promise<Prospect[]> {
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 5 MB. Split it into several lists.');
  const { headers, lines } = readTable(await file.arrayBuffer(), hasRecipients);
  if (!hasRecipients(headers)) throw new Error('This file has no column named “Email”, “Domain” or “Website”.');
  if (lines.length > MAX_LINES) throw new Error('This file has more than 5,000 rows. Split it into several lists.');
  const columns = recordOf(keysOf(COLUMNS), (column) => findColumns(headers, column));
  return lines.map(({ number, cells }) => {
    const cell = (column: Column) =>
      columns[column].map((index) => cells[index] ?? '').find((text) => text !== '') ?? '';
    const name = cell('name') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ');
    return {
      line: number,
      company: cell('company'),
      domain: normaliseEntry(cell('domain')),
      person: [name, cell('position')].filter(Boolean).join(', '),
      address: normaliseEntry(cell('address')),
      note: cell('note'),
    };
  });
}

/** Indexes of the matching columns, in order of preference. */
function findColumns(headers: readonly string[], column: Column): number[] {
  const names = headers.map(plainHeader);
  return COLUMNS[column].map((name) => names.indexOf(name)).filter((index) => index >= 0);
}

/** Returns the headers of columns that are not stored, for a warning. */
export async function unsupportedColumns(file: File): Promise<string[]> {
  const { headers } = readTable(await file.arrayBuffer(), hasRecipients);
  const supported = new Set(keysOf(COLUMNS).flatMap((column) => findColumns(headers, column)));
  return headers.filter((header, index) => header !== '' && !supported.has(index));
}

/**
 * Returns the hash that is stored with the version, or undefined over HTTP, where `crypto.subtle` is unavailable.
 */
export async function hashListFile(file: File): Promise<string | undefined> {
  return globalThis.crypto.subtle ? computeSha256(await file.arrayBuffer()) : undefined;
}

/**
 * Returns the file with only its header and the selected lines, exactly as uploaded.
 * @throws Error with a message for the user if the hash of the file differs
 */
export async function keepLines(file: File, sha256: string, lines: readonly number[]): Promise<string> {
  if (!globalThis.crypto.subtle) throw new Error('Open this page over https to download the approved rows.');
  // Uploaded lists are at most MAX_BYTES, so do not read a larger file into memory.
  if (file.size > MAX_BYTES || (await hashListFile(file)) !== sha256) {
    throw new Error(
      `${file.name} is not the file that was uploaded for this version, or it was changed afterwards. Choose the original file.`,
    );
  }
  const bytes = await file.arrayBuffer();
  const firstRowLine = readTable(bytes, hasRecipients).lines[0]?.number ?? 0;
  const keptLines = new Set(lines);
  return filterCsv(decodeCsv(bytes), (number) => number < firstRowLine || keptLines.has(number));
}

function hasRecipients(cells: readonly string[]): boolean {
  return [...findColumns(cells, 'address'), ...findColumns(cells, 'domain')].length > 0;
}
