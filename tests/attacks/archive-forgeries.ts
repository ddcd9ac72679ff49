/** Archives of a site that somebody changed by hand: in their bytes, their list of files, their manifest or their rows. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { entryOf, extraField, type RawEntry, zipOf } from '../support/zip-bytes.ts';

/** An archive as it was written, taken apart. */
export interface Parts {
  /** The file itself. */
  whole: Buffer;
  /** Positions of the bytes of each entry. */
  data: ReadonlyMap<string, readonly [start: number, end: number]>;
  /** Position of its end record. */
  end: number;
  /** By name. */
  contents: ReadonlyMap<string, Buffer>;
}

interface Forgery {
  name: string;
  bytes: (parts: Parts) => Buffer;
}

interface Manifest {
  sql: Record<string, { size: number; sha256: string }>;
  files: { version: string; name: string; size: number; sha256: string }[];
  tables: { schema: string; name: string; rows: number; sha256: string }[];
  [member: string]: unknown;
}

const manifestOf = ({ contents }: Parts): Manifest => JSON.parse(String(contents.get('manifest.json'))) as Manifest;

const entriesOf = ({ contents }: Parts): RawEntry[] => [...contents].map(([name, content]) => entryOf(name, content));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/**
 * Builds the archive with other contents, and a manifest that knows of it: nothing but what they say can be the reason.
 */
function consistent(
  parts: Parts,
  changes: Record<string, Buffer>,
  edit: (manifest: Manifest) => void = () => undefined,
) {
  const contents = new Map([...parts.contents, ...Object.entries(changes)]);
  const manifest = manifestOf(parts);
  for (const [name, content] of Object.entries(changes)) {
    const hashed = { size: content.length, sha256: sha256(content) };
    if (name in manifest.sql) manifest.sql[name] = hashed;
    for (const file of manifest.files) if (`files/${file.version}` === name) Object.assign(file, hashed);
  }
  edit(manifest);
  contents.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  return zipOf(entriesOf({ ...parts, contents }));
}

/** Builds the archive with one member of an entry's headers changed. */
const bent = (name: string, entry: string, change: (entry: RawEntry) => Partial<RawEntry>): Forgery => ({
  name,
  bytes: (parts) => zipOf(entriesOf(parts).map((one) => (one.name === entry ? { ...one, ...change(one) } : one))),
});

const withEntry = (name: string, ...added: RawEntry[]): Forgery => ({
  name,
  bytes: (parts) => zipOf([...entriesOf(parts), ...added]),
});

const EVIL = Buffer.from('evil');

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const ENTRIES = ['schema.sql', 'data.sql', 'manifest.json', 'first file', 'second file'];

/** Returns the name in the archive; the two files are named by their place. */
const named = ({ contents }: Parts, name: string) =>
  name.endsWith(' file')
    ? ([...contents.keys()].filter((key) => key.startsWith('files/'))[name === 'first file' ? 0 : 1] ?? '')
    : name;

const TAMPERED: Forgery[] = [
  ...ENTRIES.flatMap((entry) =>
    [0, 0.5, 1].map((where) => ({
      name: `one bit of ${entry} at ${where * 100} %`,
      bytes: (parts: Parts) => {
        const [start, end] = parts.data.get(named(parts, entry)) ?? [0, 0];
        return flipped(parts.whole, start + Math.floor((end - start - 1) * where));
      },
    })),
  ),
  ...['schema.sql', 'data.sql', 'first file'].map((entry) => ({
    name: `another ${entry} of the same length`,
    bytes: (parts: Parts) => {
      const content = Buffer.from(parts.contents.get(named(parts, entry)) ?? EVIL).fill('x', 0, 1);
      return zipOf(entriesOf({ ...parts, contents: new Map([...parts.contents, [named(parts, entry), content]]) }));
    },
  })),
  ...ENTRIES.map((entry) => ({
    name: `without ${entry}`,
    bytes: (parts: Parts) => zipOf(entriesOf(parts).filter(({ name }) => name !== named(parts, entry))),
  })),
  {
    name: 'the bytes of the two files exchanged',
    bytes: (parts) => {
      const [one, two] = ['first file', 'second file'].map((name) => named(parts, name));
      return zipOf(
        entriesOf(parts).map((entry) =>
          entry.name === one
            ? { ...entry, name: two ?? '' }
            : entry.name === two
              ? { ...entry, name: one ?? '' }
              : entry,
        ),
      );
    },
  },
  {
    name: 'the hashes of the two files exchanged',
    bytes: (parts) =>
      consistent(parts, {}, ({ files: [one, two] }) => {
        if (one && two) [one.sha256, two.sha256] = [two.sha256, one.sha256];
      }),
  },
  {
    name: 'the hashes of the two scripts exchanged',
    bytes: (parts) =>
      consistent(parts, {}, ({ sql }) => {
        [sql['schema.sql'], sql['data.sql']] = [
          sql['data.sql'] ?? { size: 0, sha256: '' },
          sql['schema.sql'] ?? { size: 0, sha256: '' },
        ];
      }),
  },
  { name: 'a sign behind it', bytes: ({ whole }) => Buffer.concat([whole, Buffer.from('x')]) },
  { name: 'a sign before it', bytes: ({ whole }) => Buffer.concat([Buffer.from('x'), whole]) },
  { name: 'itself twice', bytes: ({ whole }) => Buffer.concat([whole, whole]) },
  { name: 'its end without a list', bytes: ({ whole, end }) => whole.subarray(end) },
];

const TRUNCATED: Forgery[] = [
  ...Array.from({ length: 20 }, (_, step) => ({
    name: `cut off after ${step * 5} %`,
    bytes: ({ whole }: Parts) => whole.subarray(0, (whole.length * step) / 20),
  })),
  ...[1, 2, 10, 21, 22].map((missing) => ({
    name: `without its last ${missing} bytes`,
    bytes: ({ whole }: Parts) => whole.subarray(0, -missing),
  })),
  ...Array.from({ length: 10 }, (_, step) => ({
    name: `without ${step * 10} % of the list of files`,
    bytes: ({ whole, data, end }: Parts) => {
      const start = Math.max(...[...data.values()].map(([, last]) => last));
      const kept = Math.floor(((end - start) * step) / 10);
      return Buffer.concat([whole.subarray(0, start + kept), whole.subarray(end)]);
    },
  })),
];

/** Names that lead out of a folder, or that two systems read differently. */
const NAMES: [what: string, name: string | Buffer][] = [
  ['a name of the folder above', '../evil'],
  ['a name far above', '../../../../../../../../tmp/evil'],
  ['a name above in between', 'files/../../evil'],
  ['the folder above itself', 'files/..'],
  ['the folder itself', 'files/.'],
  ['an absolute name', '/tmp/evil'],
  ['an absolute name with two strokes', '//tmp/evil'],
  ['a drive', 'C:\\evil'],
  ['a drive without a stroke', 'C:evil'],
  ['a share', '\\\\server\\share\\evil'],
  ['a name above with other strokes', '..\\evil'],
  ['a name above with both strokes', 'files\\..\\../evil'],
  ['an escaped name above', 'files/%2e%2e%2fevil'],
  ['wide dots', 'files/．．/evil'],
  ['one sign of two dots', 'files/‥/evil'],
  ['overlong dots', Buffer.from('66696c65732fc0aec0ae2f6576696c', 'hex')],
  ['a NUL', 'files/evil\0.png'],
  ['a line end', 'files/evil\n'],
  ['a stroke that looks like one', 'files/..∕evil'],
  ['a folder', 'files/'],
  ['a folder with a dot', './manifest.json'],
  ['a doubled stroke', 'files//evil'],
  ['nothing', ''],
  ['a blank behind a known name', 'manifest.json '],
  ['a dot behind a known name', 'manifest.json.'],
  ['a known name in capitals', 'MANIFEST.JSON'],
  ['a stream of a known name', 'manifest.json:evil'],
  ['a device', 'files/CON.txt'],
  ['a home folder', '~/.ssh/authorized_keys'],
  ['a hidden file', 'files/.env'],
  ['sixty thousand signs', 'a'.repeat(60_000)],
  ['a long word', `files/${'a'.repeat(300)}`],
  ['a file that no row names', 'files/evil'],
  ['a script that no export writes', 'post-import.sql'],
];

const CLIMBING: Forgery[] = [
  ...NAMES.map(([what, name]) => withEntry(what, entryOf(name, EVIL))),
  // The version of a file that the manifest names tells where its bytes would be written.
  ...[
    '../evil',
    '../../evil',
    '/tmp/evil',
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    'evil\0',
    'C:evil',
    '..%2fevil',
    'a.b',
    'x'.repeat(300),
  ].map((version) => ({
    name: `a version ${JSON.stringify(version.slice(0, 20))} in the manifest`,
    bytes: (parts: Parts) => {
      const one = manifestOf(parts).files[0];
      const contents = new Map(
        [...parts.contents].map(([name, content]) => [
          name === `files/${one?.version}` ? `files/${version}` : name,
          content,
        ]),
      );
      return consistent({ ...parts, contents }, {}, ({ files: [file] }) => {
        if (file) file.version = version;
      });
    },
  })),
  withEntry('a link', entryOf('files/link', Buffer.from('/etc/passwd'), { attributes: 0o120777 * 0x10000 })),
  withEntry('a device file', entryOf('files/device', Buffer.alloc(0), { attributes: 0o020666 * 0x10000 })),
  bent('another name in an extra field', 'data.sql', ({ name }) => {
    const data = Buffer.concat([Buffer.from([1]), Buffer.alloc(4), Buffer.from('../evil')]);
    data.writeUInt32LE(crc32(Buffer.from(name)), 1);
    return { extra: extraField(0x7075, data) };
  }),
  ...['manifest.json', 'schema.sql', 'data.sql'].flatMap((name) => [
    withEntry(`${name} twice`, entryOf(name, EVIL)),
    {
      name: `${name} twice, the other one first`,
      bytes: (parts: Parts) => zipOf([entryOf(name, EVIL), ...entriesOf(parts)]),
    },
  ]),
  {
    name: 'a file twice',
    bytes: (parts) => zipOf([entryOf(named(parts, 'first file'), EVIL), ...entriesOf(parts)]),
  },
];

const ZEROS = Buffer.alloc(50_000_000);

const BOMBS: Forgery[] = [
  ...['schema.sql', 'data.sql'].map((name) => ({
    name: `fifty megabytes of zeros in ${name}`,
    bytes: (parts: Parts) => consistent(parts, { [name]: ZEROS }),
  })),
  {
    name: 'fifty megabytes of zeros in a file',
    bytes: (parts) => consistent(parts, { [named(parts, 'first file')]: ZEROS }),
  },
  {
    name: 'fifty megabytes of blanks in the manifest',
    bytes: (parts) =>
      zipOf(
        entriesOf(parts).map((entry) =>
          entry.name === 'manifest.json'
            ? entryOf(
                'manifest.json',
                Buffer.concat([parts.contents.get('manifest.json') ?? EVIL, Buffer.alloc(50_000_000, ' ')]),
              )
            : entry,
        ),
      ),
  },
  withEntry('fifty megabytes of zeros beside it', entryOf('files/bomb', ZEROS)),
  withEntry('a bomb within a bomb', entryOf('files/bomb', zipOf([entryOf('bomb', deflateRawSync(ZEROS))]))),
  bent('more bytes than it says', 'data.sql', ({ size }) => ({ size: size - 1 })),
  bent('fewer bytes than it says', 'data.sql', ({ size }) => ({ size: size + 1 })),
  bent('a terabyte that it does not have', 'data.sql', () => ({
    size: 0xffffffff,
    extra: extraField(1, Buffer.from('0000000000010000', 'hex')),
  })),
  {
    name: 'two names of the same bytes',
    bytes: (parts) => {
      const entries = entriesOf(parts);
      const last = entries.at(-1);
      return zipOf([...entries.slice(0, -1), ...(last ? [last, { ...last, name: 'files/evil', offset: 0 }] : [])]);
    },
  },
  {
    name: 'an entry that begins within another',
    bytes: (parts) => {
      const inner = zipOf([entryOf(named(parts, 'first file'), EVIL)]);
      const outer = { ...entryOf('schema.sql', inner, { method: 0 }) };
      const others = entriesOf(parts).filter(
        ({ name }) => name !== 'schema.sql' && name !== named(parts, 'first file'),
      );
      // Its list says that the file begins where the bytes of schema.sql do.
      return zipOf([
        outer,
        ...others,
        { ...entryOf(named(parts, 'first file'), EVIL), offset: 30 + 'schema.sql'.length },
      ]);
    },
  },
  {
    name: 'three thousand entries of the same bytes',
    bytes: (parts) =>
      zipOf([
        ...entriesOf(parts),
        ...Array.from({ length: 3_000 }, (_, index) => ({
          ...entryOf(`files/x${index}`, EVIL),
          bytes: Buffer.alloc(0),
          offset: 0,
        })),
      ]),
  },
];

const HEADERS: Forgery[] = [
  bent('a flag for encryption', 'data.sql', ({ flags }) => ({ flags: flags | 1 })),
  bent('a flag for strong encryption', 'data.sql', ({ flags }) => ({ flags: flags | 0x41 })),
  bent('a flag for a hidden list', 'data.sql', ({ flags }) => ({ flags: flags | 0x2000 })),
  bent('a flag for a patch', 'data.sql', ({ flags }) => ({ flags: flags | 0x20 })),
  bent('a flag for encryption before the bytes only', 'data.sql', ({ flags }) => ({ local: { flags: flags | 1 } })),
  ...[1, 9, 12, 14, 93, 95, 99].map((method) => bent(`packed by method ${method}`, 'data.sql', () => ({ method }))),
  bent('packed bytes that are said to be plain', 'data.sql', ({ packed }) => ({ method: 0, size: packed })),
  bent('another method before the bytes', 'data.sql', () => ({ local: { method: 0 } })),
  bent('another name before the bytes', 'data.sql', () => ({ local: { name: 'evil.sql' } })),
  bent('a name above before the bytes', 'data.sql', () => ({ local: { name: '../e.sql' } })),
  bent('another checksum in both headers', 'data.sql', ({ crc32: sum }) => ({ crc32: (sum ^ 1) >>> 0 })),
  bent('another checksum of the manifest', 'manifest.json', ({ crc32: sum }) => ({ crc32: (sum ^ 1) >>> 0 })),
  bent('another checksum before the bytes', 'data.sql', ({ crc32: sum }) => ({ local: { crc32: (sum ^ 1) >>> 0 } })),
  bent('another size before the bytes', 'data.sql', ({ size }) => ({ local: { size: size + 1 } })),
  bent('another packed size before the bytes', 'data.sql', ({ packed }) => ({ local: { packed: packed - 1 } })),
  bent('a longer name before the bytes', 'data.sql', () => ({ local: { name: 'data.sql.evil' } })),
  bent('a large size without its field', 'data.sql', () => ({ size: 0xffffffff })),
  bent('a large packed size without its field', 'data.sql', () => ({ packed: 0xffffffff })),
  bent('a large size whose field is cut off', 'data.sql', () => ({
    size: 0xffffffff,
    extra: extraField(1, Buffer.alloc(4)),
  })),
  bent('an extra field beyond its end', 'data.sql', () => ({ extra: Buffer.from('7570ffff00', 'hex') })),
  bent('a start beyond the end', 'data.sql', () => ({ offset: 0xfffffff0 })),
  bent('a start in the middle', 'data.sql', () => ({ offset: 17 })),
  bent('packed bytes beyond the end', 'data.sql', () => ({ packed: 0x7fffffff })),
  ...(
    [
      ['one entry fewer', { count: 3 }],
      ['more entries than there are', { count: 60_000 }],
      ['another disk', { disk: 1 }],
      ['a list that begins at once', { start: 0 }],
      ['a list that begins beyond the end', { start: 0xfffffff0 }],
      ['a comment that is an end', { comment: Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]) }],
    ] as const
  ).map(([name, end]) => ({ name: `an end with ${name}`, bytes: (parts: Parts) => zipOf(entriesOf(parts), end) })),
];

/** Writes the manifest as this text says. */
const told = (name: string, text: (manifest: Manifest) => unknown): Forgery => ({
  name: `a manifest ${name}`,
  bytes: (parts) => {
    const value = text(manifestOf(parts));
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    return zipOf(entriesOf({ ...parts, contents: new Map([...parts.contents, ['manifest.json', body]]) }));
  },
});

const MANIFESTS: Forgery[] = [
  ...['', '{', 'null', '[]', '"format"', '{"format":1}', '\u0000', '['.repeat(100_000)].map((text) =>
    told(`that is ${JSON.stringify(text.slice(0, 20))}`, () => text),
  ),
  told('in UTF-16', (manifest) => Buffer.from(JSON.stringify(manifest), 'utf16le').toString('latin1')),
  told('twice', (manifest) => JSON.stringify(manifest).repeat(2)),
  ...[0, -1, 0.5, '1', null].map((format) =>
    told(`of format ${JSON.stringify(format)}`, (manifest) => ({ ...manifest, format })),
  ),
  told('of a newer format', (manifest) => ({ ...manifest, format: 2 })),
  told('of a newer migration', (manifest) => ({
    ...manifest,
    applied: [...(manifest['applied'] as object[]), { name: '20991231000000', sha256: null }],
  })),
  told('of another migration', (manifest) => ({
    ...manifest,
    applied: (manifest['applied'] as { name: string }[]).map((file) => ({ ...file, sha256: '0'.repeat(64) })),
  })),
  ...['applied', 'tables', 'sequences', 'policies', 'sql', 'files', 'version', 'postgres', 'isProject'].map((member) =>
    told(`without ${member}`, (manifest) => ({ ...manifest, [member]: undefined })),
  ),
  ...[-1, 0.5, '1', null, 2 ** 60].map((size) =>
    told(`with a file of ${String(size)} bytes`, (manifest) => ({
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, size })),
    })),
  ),
  ...['', 'x', '0'.repeat(63), 'A'.repeat(64), '0'.repeat(64)].map((hash) =>
    told(`with the hash ${JSON.stringify(hash.slice(0, 8))} of ${hash.length} signs`, (manifest) => ({
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, sha256: hash })),
    })),
  ),
  told('with one file fewer', (manifest) => ({ ...manifest, files: manifest.files.slice(1) })),
  told('with one file more', (manifest) => ({
    ...manifest,
    files: [...manifest.files, { ...manifest.files[0], version: crypto.randomUUID() }],
  })),
  told('with a file of another size', (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, size: file.size + 1 })),
  })),
  told('whose files are inherited', (manifest) =>
    JSON.stringify({ ...manifest, files: undefined }).replace('{', '{"__proto__":{"files":[]},'),
  ),
];

/** Rows that were changed, with every hash of the manifest as it should be. */
const rows = (name: string, edit: (sql: string) => string, also?: (manifest: Manifest) => void): Forgery => ({
  name,
  bytes: (parts) => consistent(parts, { 'data.sql': Buffer.from(edit(String(parts.contents.get('data.sql')))) }, also),
});

const before = (sql: string, line: string) => sql.replace('\ncopy ', () => `\n${line}\ncopy `);

export const ROWS: Forgery[] = [
  ...[
    'drop table public.posts;',
    "copy public.posts from '/etc/passwd';",
    `copy "public"."posts" ("title") from program 'touch /tmp/evil';`,
    '\\! touch evil',
    '\\i /etc/passwd',
    "select setval('public.x', 1); drop table public.posts;",
    "select setval(pg_read_file('/etc/passwd'), 1);",
    "do $$ begin execute 'create role evil superuser'; end $$;",
    'truncate "public"."posts" cascade; create extension dblink;',
    'insert into public.user_roles values (1);',
  ].map((line) => rows(`a statement of its own: ${line}`, (sql) => before(sql, line))),
  rows('a table that is none', (sql) => before(sql, 'copy "public"."evil" ("a") from stdin;\n1\n\\.')),
  rows('a table whose name is a statement', (sql) =>
    before(sql, 'copy "public"."posts"; drop table public.posts; --" ("a") from stdin;\n1\n\\.'),
  ),
  rows('a column that is none', (sql) => sql.replace('copy "public"."posts" (', 'copy "public"."posts" ("evil", ')),
  rows('a row without its last value', (sql) =>
    sql.replace(/(copy "public"\."posts" [^\n]+\n[^\n]+)\t[^\t\n]*\n/, '$1\n'),
  ),
  rows('a row with one value more', (sql) => sql.replace(/(copy "public"\."posts" [^\n]+\n[^\n]+)\n/, '$1\t1\n')),
  rows('a row that is missing', (sql) => sql.replace(/(copy "public"\."posts" [^\n]+\n)[^\n]+\n/, '$1')),
  rows('a row twice', (sql) => sql.replace(/(copy "auth"\."audit_log_entries" [^\n]+\n)([^\n]+\n)/, '$1$2$2')),
  rows('a row with another value', (sql) => sql.replace('ada@example.com', 'eve@example.com')),
  rows('without its end', (sql) => sql.replace('commit;\n', '')),
  rows('without its last line end', (sql) => sql.slice(0, -1)),
  rows('a table without an end', (sql) => `${sql.replace('commit;\n', '')}copy "public"."posts" ("id") from stdin;\n`),
  rows('no line at all', () => ''),
  rows('a row of more than 64 MB', (sql) => {
    // Figures do not pack as well as a bomb.
    const figures = Array.from({ length: 1_000_000 }, (_, index) => (index * 2_654_435_761) % 1_000_000_007).join('');
    return sql.replace(/(copy "public"\."posts" [^\n]+\n)/, (head) => `${head}${figures.repeat(8)}`);
  }),
  ...['../../../secret', '/etc/passwd', '00000000-0000-4000-8000-000000000000'].map((version) =>
    rows(`a row of a file that names ${version.slice(0, 12)} as its bytes`, (sql) => renamedVersion(sql, version)),
  ),
];

/** Gives the first file's row other bytes than its own. */
function renamedVersion(sql: string, version: string): string {
  const [, columns = '', row = ''] = /copy "storage"\."objects" \(([^\n]+)\) from stdin;\n([^\n]+)\n/.exec(sql) ?? [];
  const at = columns.split(', ').indexOf('"version"');
  const values = row.split('\t');
  values[at] = version;
  return sql.replace(row, () => values.join('\t'));
}

/** Forgeries that are refused before the database is asked for anything but what it holds. */
export const FORGERIES: [kind: string, forgeries: Forgery[]][] = [
  ['Bytes that were changed', TAMPERED],
  ['Archives that are cut off', TRUNCATED],
  ['Names that lead elsewhere', CLIMBING],
  ['Bombs', BOMBS],
  ['Headers that lie', HEADERS],
  ['Manifests', MANIFESTS],
];

/** Packs the archive again by hand, as it is. */
export const packedAgain = (parts: Parts): Buffer => zipOf(entriesOf(parts));
