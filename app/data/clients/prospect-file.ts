/** A list of people and companies from a CSV file, by line. The database judges them. */
import { decodeCsv, readCsv } from '../../lib/read-csv.ts';
import { MAX_BYTES, MAX_LINES, plainEntry } from './do-not-contact-file.ts';

export interface Prospect {
  /** Of the file, from 1. */
  line: number;
  company: string;
  /** Empty for none; then that of the address counts. */
  domain: string;
  /** Name and position. */
  person: string;
  /** Empty for none. */
  address: string;
}

/** Names that tools give the columns of the lists that they export, in the order in which a column is taken. */
const COLUMNS = {
  address: /^(work |business )?e-?mail( address)?$|^e-?post(adresse)?$/,
  domain: /^(company )?(domain|website|url|web)( url)?$|^(domene|nettside|hjemmeside)$/,
  company: /^(company|account|organi[sz]ation)( name)?$|^(firma|selskap|bedrift)(snavn)?$/,
  name: /^(full |contact )?name$|^(contact|person|navn|kontakt(person)?)$/,
  firstName: /^(first|given) ?name$|^fornavn$/,
  lastName: /^(last|family|sur) ?name$|^etternavn$/,
  position: /^(job )?(title|position|role)$|^(tittel|stilling|rolle)$/,
} as const;

type Column = keyof typeof COLUMNS;

/**
 * Reads the rows of a CSV file that names its columns in the first line.
 * @throws Error with a sentence for people, when the file is too large, no CSV, not in UTF-8, or names neither addresses nor domains
 */
export async function readProspects(file: File): Promise<Prospect[]> {
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 5 MB. Split it and ask for the parts.');
  const [header, ...lines] = readCsv(decodeCsv(await file.arrayBuffer()));
  const names = header?.cells.map((cell) => cell.toLowerCase().replaceAll(/[_\s]+/g, ' ')) ?? [];
  const has = (column: Column) => names.some((name) => COLUMNS[column].test(name));
  if (!has('address') && !has('domain')) {
    throw new Error('The first line names no column “Email” and none “Domain” or “Website”.');
  }
  if (lines.length > MAX_LINES) throw new Error('These are more than 5,000 rows. Ask for them in parts.');
  return lines.map(({ number, cells }) => {
    const cell = (column: Column) => cells[names.findIndex((name) => COLUMNS[column].test(name))] ?? '';
    const name = cell('name') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ');
    return {
      line: number,
      company: cell('company'),
      domain: plainEntry(cell('domain')),
      person: [name, cell('position')].filter(Boolean).join(', '),
      address: plainEntry(cell('address')),
    };
  });
}
