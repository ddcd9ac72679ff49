/** Forged site archives. Their bytes, central directory, manifest or rows were tampered with. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { createEntry, createZip, extraField, type RawEntry } from '../support/zip-bytes.ts';

/** A valid archive and its parts. */
export interface ArchiveParts {
  /** The whole archive. */
  archive: Buffer;
  /** Start and end of the data of each entry. */
  data: ReadonlyMap<string, readonly [start: number, end: number]>;
  /** Position of the end record. */
  end: number;
  /** Contents of each entry, keyed by entry name. */
  contents: ReadonlyMap<string, Buffer>;
}

interface Forgery {
  name: string;
  bytes: (parts: ArchiveParts) => Buffer;
}

interface Manifest {
  sql: Record<string, { size: number; sha256: string }>;
  files: { version: string; name: string; size: number; sha256: string }[];
  tables: { schema: string; name: string; rows: number; sha256: string }[];
  [member: string]: unknown;
}

const parseManifest = ({ contents }: ArchiveParts): Manifest =>
  JSON.parse(String(contents.get('manifest.json'))) as Manifest;

const createEntries = ({ contents }: ArchiveParts): RawEntry[] =>
  [...contents].map(([name, content]) => createEntry(name, content));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/**
 * Builds the archive with changed contents and a matching manifest, so that the archive can only be
 * rejected for its contents.
 */
function updateHashes(
  parts: ArchiveParts,
  changes: Record<string, Buffer>,
  edit: (manifest: Manifest) => void = () => undefined,
) {
  const contents = new Map([...parts.contents, ...Object.entries(changes)]);
  const manifest = parseManifest(parts);
  for (const [name, content] of Object.entries(changes)) {
    const expected = { size: content.length, sha256: sha256(content) };
    if (name in manifest.sql) manifest.sql[name] = expected;
    for (const file of manifest.files) if (`files/${file.version}` === name) Object.assign(file, expected);
  }
  edit(manifest);
  contents.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  return createZip(createEntries({ ...parts, contents }));
}

/** Builds the archive with one changed field in an entry's headers. */
const headerForgery = (name: string, entry: string, change: (entry: RawEntry) => Partial<RawEntry>): Forgery => ({
  name,
  bytes: (parts) =>
    createZip(createEntries(parts).map((raw) => (raw.name === entry ? { ...raw, ...change(raw) } : raw))),
});

const withEntry = (name: string, ...entries: RawEntry[]): Forgery => ({
  name,
  bytes: (parts) => createZip([...createEntries(parts), ...entries]),
});

const FORGED_CONTENT = Buffer.from('evil');

function flipBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const ENTRIES = ['schema.sql', 'data.sql', 'manifest.json', 'first file', 'second file'];

/** Returns the entry name. The two files are named by their position. */
const entryName = ({ contents }: ArchiveParts, name: string) =>
  name.endsWith(' file')
    ? ([...contents.keys()].filter((key) => key.startsWith('files/'))[name === 'first file' ? 0 : 1] ?? '')
    : name;

const TAMPERED: Forgery[] = [
  ...ENTRIES.flatMap((entry) =>
    [0, 0.5, 1].map((position) => ({
      name: `one flipped bit of ${entry} at ${position * 100} %`,
      bytes: (parts: ArchiveParts) => {
        const [start, end] = parts.data.get(entryName(parts, entry)) ?? [0, 0];
        return flipBit(parts.archive, start + Math.floor((end - start - 1) * position));
      },
    })),
  ),
  ...['schema.sql', 'data.sql', 'first file'].map((entry) => ({
    name: `a different ${entry} of the same length`,
    bytes: (parts: ArchiveParts) => {
      const content = Buffer.from(parts.contents.get(entryName(parts, entry)) ?? FORGED_CONTENT).fill('x', 0, 1);
      return createZip(
        createEntries({ ...parts, contents: new Map([...parts.contents, [entryName(parts, entry), content]]) }),
      );
    },
  })),
  ...ENTRIES.map((entry) => ({
    name: `without ${entry}`,
    bytes: (parts: ArchiveParts) =>
      createZip(createEntries(parts).filter(({ name }) => name !== entryName(parts, entry))),
  })),
  {
    name: 'the data of the two files swapped',
    bytes: (parts) => {
      const [first, second] = ['first file', 'second file'].map((name) => entryName(parts, name));
      return createZip(
        createEntries(parts).map((entry) =>
          entry.name === first
            ? { ...entry, name: second ?? '' }
            : entry.name === second
              ? { ...entry, name: first ?? '' }
              : entry,
        ),
      );
    },
  },
  {
    name: 'the hashes of the two files swapped',
    bytes: (parts) =>
      updateHashes(parts, {}, ({ files: [first, second] }) => {
        if (first && second) [first.sha256, second.sha256] = [second.sha256, first.sha256];
      }),
  },
  {
    name: 'the hashes of the two scripts swapped',
    bytes: (parts) =>
      updateHashes(parts, {}, ({ sql }) => {
        [sql['schema.sql'], sql['data.sql']] = [
          sql['data.sql'] ?? { size: 0, sha256: '' },
          sql['schema.sql'] ?? { size: 0, sha256: '' },
        ];
      }),
  },
  { name: 'an extra byte at the end', bytes: ({ archive }) => Buffer.concat([archive, Buffer.from('x')]) },
  { name: 'an extra byte at the start', bytes: ({ archive }) => Buffer.concat([Buffer.from('x'), archive]) },
  { name: 'two concatenated archives', bytes: ({ archive }) => Buffer.concat([archive, archive]) },
  { name: 'only the end record', bytes: ({ archive, end }) => archive.subarray(end) },
];

const TRUNCATED: Forgery[] = [
  ...Array.from({ length: 20 }, (_, step) => ({
    name: `truncated after ${step * 5} %`,
    bytes: ({ archive }: ArchiveParts) => archive.subarray(0, (archive.length * step) / 20),
  })),
  ...[1, 2, 10, 21, 22].map((missing) => ({
    name: `without the last ${missing} bytes`,
    bytes: ({ archive }: ArchiveParts) => archive.subarray(0, -missing),
  })),
  ...Array.from({ length: 10 }, (_, step) => ({
    name: `without ${step * 10} % of the central directory`,
    bytes: ({ archive, data, end }: ArchiveParts) => {
      const start = Math.max(...[...data.values()].map(([, last]) => last));
      const length = Math.floor(((end - start) * step) / 10);
      return Buffer.concat([archive.subarray(0, start + length), archive.subarray(end)]);
    },
  })),
];

/** Paths that leave the folder or that operating systems interpret differently. */
const NAMES: [what: string, name: string | Buffer][] = [
  ['a path in the parent folder', '../evil'],
  ['a path through many parent folders', '../../../../../../../../tmp/evil'],
  ['a parent folder in the middle', 'files/../../evil'],
  ['the parent folder itself', 'files/..'],
  ['the folder itself', 'files/.'],
  ['an absolute path', '/tmp/evil'],
  ['an absolute path with two slashes', '//tmp/evil'],
  ['a drive', 'C:\\evil'],
  ['a drive without a backslash', 'C:evil'],
  ['a network share', '\\\\server\\share\\evil'],
  ['a parent folder with backslashes', '..\\evil'],
  ['a parent folder with both slashes', 'files\\..\\../evil'],
  ['a percent-encoded parent folder', 'files/%2e%2e%2fevil'],
  ['full-width dots', 'files/．．/evil'],
  ['a two-dot character', 'files/‥/evil'],
  ['overlong UTF-8 dots', Buffer.from('66696c65732fc0aec0ae2f6576696c', 'hex')],
  ['a NUL', 'files/evil\0.png'],
  ['a newline', 'files/evil\n'],
  ['a slash lookalike', 'files/..∕evil'],
  ['a folder', 'files/'],
  ['a path with a leading dot', './manifest.json'],
  ['a double slash', 'files//evil'],
  ['an empty name', ''],
  ['a space after a known name', 'manifest.json '],
  ['a dot after a known name', 'manifest.json.'],
  ['a known name in upper case', 'MANIFEST.JSON'],
  ['an alternate data stream of a known name', 'manifest.json:evil'],
  ['a device name', 'files/CON.txt'],
  ['a home folder', '~/.ssh/authorized_keys'],
  ['a hidden file', 'files/.env'],
  ['sixty thousand characters', 'a'.repeat(60_000)],
  ['a name that is too long', `files/${'a'.repeat(300)}`],
  ['a file without a row', 'files/evil'],
  ['a script that no export contains', 'post-import.sql'],
];

const UNSAFE_PATHS: Forgery[] = [
  ...NAMES.map(([label, name]) => withEntry(label, createEntry(name, FORGED_CONTENT))),
  // The version in the manifest determines where the data of a file is written.
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
    name: `the version ${JSON.stringify(version.slice(0, 20))} in the manifest`,
    bytes: (parts: ArchiveParts) => {
      const first = parseManifest(parts).files[0];
      const contents = new Map(
        [...parts.contents].map(([name, content]) => [
          name === `files/${first?.version}` ? `files/${version}` : name,
          content,
        ]),
      );
      return updateHashes({ ...parts, contents }, {}, ({ files: [file] }) => {
        if (file) file.version = version;
      });
    },
  })),
  withEntry('a link', createEntry('files/link', Buffer.from('/etc/passwd'), { attributes: 0o120777 * 0x10000 })),
  withEntry('a device file', createEntry('files/device', Buffer.alloc(0), { attributes: 0o020666 * 0x10000 })),
  headerForgery('a different name in an extra field', 'data.sql', ({ name }) => {
    const data = Buffer.concat([Buffer.from([1]), Buffer.alloc(4), Buffer.from('../evil')]);
    data.writeUInt32LE(crc32(Buffer.from(name)), 1);
    return { extra: extraField(0x7075, data) };
  }),
  ...['manifest.json', 'schema.sql', 'data.sql'].flatMap((name) => [
    withEntry(`${name} twice`, createEntry(name, FORGED_CONTENT)),
    {
      name: `${name} twice, with the forged one first`,
      bytes: (parts: ArchiveParts) => createZip([createEntry(name, FORGED_CONTENT), ...createEntries(parts)]),
    },
  ]),
  {
    name: 'a duplicate file',
    bytes: (parts) => createZip([createEntry(entryName(parts, 'first file'), FORGED_CONTENT), ...createEntries(parts)]),
  },
];

const ZEROS = Buffer.alloc(50_000_000);

const BOMBS: Forgery[] = [
  ...['schema.sql', 'data.sql'].map((name) => ({
    name: `fifty megabytes of zeros in ${name}`,
    bytes: (parts: ArchiveParts) => updateHashes(parts, { [name]: ZEROS }),
  })),
  {
    name: 'fifty megabytes of zeros in a file',
    bytes: (parts) => updateHashes(parts, { [entryName(parts, 'first file')]: ZEROS }),
  },
  {
    name: 'fifty megabytes of spaces in the manifest',
    bytes: (parts) =>
      createZip(
        createEntries(parts).map((entry) =>
          entry.name === 'manifest.json'
            ? createEntry(
                'manifest.json',
                Buffer.concat([parts.contents.get('manifest.json') ?? FORGED_CONTENT, Buffer.alloc(50_000_000, ' ')]),
              )
            : entry,
        ),
      ),
  },
  withEntry('fifty megabytes of zeros in an extra entry', createEntry('files/bomb', ZEROS)),
  withEntry('a nested zip bomb', createEntry('files/bomb', createZip([createEntry('bomb', deflateRawSync(ZEROS))]))),
  headerForgery('more data than the declared size', 'data.sql', ({ size }) => ({ size: size - 1 })),
  headerForgery('less data than the declared size', 'data.sql', ({ size }) => ({ size: size + 1 })),
  headerForgery('a declared size of a terabyte', 'data.sql', () => ({
    size: 0xffffffff,
    extra: extraField(1, Buffer.from('0000000000010000', 'hex')),
  })),
  {
    name: 'two entries with the same data',
    bytes: (parts) => {
      const entries = createEntries(parts);
      const last = entries.at(-1);
      return createZip([...entries.slice(0, -1), ...(last ? [last, { ...last, name: 'files/evil', offset: 0 }] : [])]);
    },
  },
  {
    name: 'an entry that overlaps another',
    bytes: (parts) => {
      const inner = createZip([createEntry(entryName(parts, 'first file'), FORGED_CONTENT)]);
      const outer = { ...createEntry('schema.sql', inner, { method: 0 }) };
      const remaining = createEntries(parts).filter(
        ({ name }) => name !== 'schema.sql' && name !== entryName(parts, 'first file'),
      );
      // The central directory places the file in the data of schema.sql.
      return createZip([
        outer,
        ...remaining,
        { ...createEntry(entryName(parts, 'first file'), FORGED_CONTENT), offset: 30 + 'schema.sql'.length },
      ]);
    },
  },
  {
    name: 'three thousand entries with the same data',
    bytes: (parts) =>
      createZip([
        ...createEntries(parts),
        ...Array.from({ length: 3_000 }, (_, index) => ({
          ...createEntry(`files/x${index}`, FORGED_CONTENT),
          bytes: Buffer.alloc(0),
          offset: 0,
        })),
      ]),
  },
];

const HEADERS: Forgery[] = [
  headerForgery('the encryption flag', 'data.sql', ({ flags }) => ({ flags: flags | 1 })),
  headerForgery('the strong encryption flag', 'data.sql', ({ flags }) => ({ flags: flags | 0x41 })),
  headerForgery('the flag for an encrypted central directory', 'data.sql', ({ flags }) => ({ flags: flags | 0x2000 })),
  headerForgery('the patch flag', 'data.sql', ({ flags }) => ({ flags: flags | 0x20 })),
  headerForgery('the encryption flag in the local header only', 'data.sql', ({ flags }) => ({
    local: { flags: flags | 1 },
  })),
  ...[1, 9, 12, 14, 93, 95, 99].map((method) =>
    headerForgery(`compression method ${method}`, 'data.sql', () => ({ method })),
  ),
  headerForgery('compressed data declared as stored', 'data.sql', ({ packed }) => ({ method: 0, size: packed })),
  headerForgery('a different method in the local header', 'data.sql', () => ({ local: { method: 0 } })),
  headerForgery('a different name in the local header', 'data.sql', () => ({ local: { name: 'evil.sql' } })),
  headerForgery('a parent folder in the local header', 'data.sql', () => ({ local: { name: '../e.sql' } })),
  headerForgery('a wrong checksum in both headers', 'data.sql', ({ crc32: sum }) => ({ crc32: (sum ^ 1) >>> 0 })),
  headerForgery('a wrong checksum of the manifest', 'manifest.json', ({ crc32: sum }) => ({ crc32: (sum ^ 1) >>> 0 })),
  headerForgery('a wrong checksum in the local header', 'data.sql', ({ crc32: sum }) => ({
    local: { crc32: (sum ^ 1) >>> 0 },
  })),
  headerForgery('a different size in the local header', 'data.sql', ({ size }) => ({ local: { size: size + 1 } })),
  headerForgery('a different compressed size in the local header', 'data.sql', ({ packed }) => ({
    local: { packed: packed - 1 },
  })),
  headerForgery('a longer name in the local header', 'data.sql', () => ({ local: { name: 'data.sql.evil' } })),
  headerForgery('a ZIP64 size without its field', 'data.sql', () => ({ size: 0xffffffff })),
  headerForgery('a ZIP64 compressed size without its field', 'data.sql', () => ({ packed: 0xffffffff })),
  headerForgery('a ZIP64 size with a truncated field', 'data.sql', () => ({
    size: 0xffffffff,
    extra: extraField(1, Buffer.alloc(4)),
  })),
  headerForgery('an overlong extra field', 'data.sql', () => ({ extra: Buffer.from('7570ffff00', 'hex') })),
  headerForgery('an offset past the end', 'data.sql', () => ({ offset: 0xfffffff0 })),
  headerForgery('an offset in the middle of an entry', 'data.sql', () => ({ offset: 17 })),
  headerForgery('a compressed size past the end', 'data.sql', () => ({ packed: 0x7fffffff })),
  ...(
    [
      ['one entry fewer', { count: 3 }],
      ['too many entries', { count: 60_000 }],
      ['another disk', { disk: 1 }],
      ['a central directory at offset 0', { start: 0 }],
      ['a central directory past the end', { start: 0xfffffff0 }],
      ['an end record in the comment', { comment: Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]) }],
    ] as const
  ).map(([name, end]) => ({
    name: `an end record with ${name}`,
    bytes: (parts: ArchiveParts) => createZip(createEntries(parts), end),
  })),
];

/** Builds the archive with the returned manifest. */
const manifestForgery = (name: string, text: (manifest: Manifest) => unknown): Forgery => ({
  name: `a manifest ${name}`,
  bytes: (parts) => {
    const value = text(parseManifest(parts));
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    return createZip(createEntries({ ...parts, contents: new Map([...parts.contents, ['manifest.json', body]]) }));
  },
});

const MANIFESTS: Forgery[] = [
  ...['', '{', 'null', '[]', '"format"', '{"format":1}', '\u0000', '['.repeat(100_000)].map((text) =>
    manifestForgery(`that is ${JSON.stringify(text.slice(0, 20))}`, () => text),
  ),
  manifestForgery('in UTF-16', (manifest) => Buffer.from(JSON.stringify(manifest), 'utf16le').toString('latin1')),
  manifestForgery('duplicated', (manifest) => JSON.stringify(manifest).repeat(2)),
  ...[0, -1, 0.5, '1', null].map((format) =>
    manifestForgery(`of format ${JSON.stringify(format)}`, (manifest) => ({ ...manifest, format })),
  ),
  manifestForgery('of a newer format', (manifest) => ({ ...manifest, format: 2 })),
  manifestForgery('of a newer migration', (manifest) => ({
    ...manifest,
    applied: [...(manifest['applied'] as object[]), { name: '20991231000000', sha256: null }],
  })),
  manifestForgery('of another migration', (manifest) => ({
    ...manifest,
    applied: (manifest['applied'] as { name: string }[]).map((file) => ({ ...file, sha256: '0'.repeat(64) })),
  })),
  ...['applied', 'tables', 'sequences', 'policies', 'sql', 'files', 'version', 'postgres', 'isProject'].map((member) =>
    manifestForgery(`without ${member}`, (manifest) => ({ ...manifest, [member]: undefined })),
  ),
  ...[-1, 0.5, '1', null, 2 ** 60].map((size) =>
    manifestForgery(`with a file of ${String(size)} bytes`, (manifest) => ({
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, size })),
    })),
  ),
  ...['', 'x', '0'.repeat(63), 'A'.repeat(64), '0'.repeat(64)].map((hash) =>
    manifestForgery(`with the hash ${JSON.stringify(hash.slice(0, 8))} of ${hash.length} characters`, (manifest) => ({
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, sha256: hash })),
    })),
  ),
  manifestForgery('without one of the files', (manifest) => ({ ...manifest, files: manifest.files.slice(1) })),
  manifestForgery('with an additional file', (manifest) => ({
    ...manifest,
    files: [...manifest.files, { ...manifest.files[0], version: crypto.randomUUID() }],
  })),
  manifestForgery('with a file of a different size', (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, size: file.size + 1 })),
  })),
  manifestForgery('with files in its prototype', (manifest) =>
    JSON.stringify({ ...manifest, files: undefined }).replace('{', '{"__proto__":{"files":[]},'),
  ),
];

/** Builds the archive with changed rows and matching hashes in the manifest. */
const rowForgery = (name: string, edit: (sql: string) => string): Forgery => ({
  name,
  bytes: (parts) => updateHashes(parts, { 'data.sql': Buffer.from(edit(String(parts.contents.get('data.sql')))) }),
});

const insertBeforeCopy = (sql: string, line: string) => sql.replace('\ncopy ', () => `\n${line}\ncopy `);

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
  ].map((line) => rowForgery(`an extra statement: ${line}`, (sql) => insertBeforeCopy(sql, line))),
  rowForgery('an unknown table', (sql) => insertBeforeCopy(sql, 'copy "public"."evil" ("a") from stdin;\n1\n\\.')),
  rowForgery('a statement in a table name', (sql) =>
    insertBeforeCopy(sql, 'copy "public"."posts"; drop table public.posts; --" ("a") from stdin;\n1\n\\.'),
  ),
  rowForgery('an unknown column', (sql) => sql.replace('copy "public"."posts" (', 'copy "public"."posts" ("evil", ')),
  rowForgery('a row without its last value', (sql) =>
    sql.replace(/(copy "public"\."posts" [^\n]+\n[^\n]+)\t[^\t\n]*\n/, '$1\n'),
  ),
  rowForgery('a row with an extra value', (sql) => sql.replace(/(copy "public"\."posts" [^\n]+\n[^\n]+)\n/, '$1\t1\n')),
  rowForgery('a missing row', (sql) => sql.replace(/(copy "public"\."posts" [^\n]+\n)[^\n]+\n/, '$1')),
  rowForgery('a row twice', (sql) => sql.replace(/(copy "auth"\."audit_log_entries" [^\n]+\n)([^\n]+\n)/, '$1$2$2')),
  rowForgery('a row with a changed value', (sql) => sql.replace('ada@example.com', 'eve@example.com')),
  rowForgery('a script without its last line', (sql) => sql.replace('commit;\n', '')),
  rowForgery('a script without its last newline', (sql) => sql.slice(0, -1)),
  rowForgery(
    'a table without an end',
    (sql) => `${sql.replace('commit;\n', '')}copy "public"."posts" ("id") from stdin;\n`,
  ),
  rowForgery('an empty script', () => ''),
  rowForgery('a row of more than 64 MB', (sql) => {
    // Digits stay below the compression-ratio limit, so the archive is rejected for its row size.
    const figures = Array.from({ length: 1_000_000 }, (_, index) => (index * 2_654_435_761) % 1_000_000_007).join('');
    return sql.replace(/(copy "public"\."posts" [^\n]+\n)/, (head) => `${head}${figures.repeat(8)}`);
  }),
  ...['../../../secret', '/etc/passwd', '00000000-0000-4000-8000-000000000000'].map((version) =>
    rowForgery(`the row of a file with the version ${version.slice(0, 12)}`, (sql) => withVersion(sql, version)),
  ),
];

/** Changes the version in the row of the first file. */
function withVersion(sql: string, version: string): string {
  const [, columns = '', row = ''] = /copy "storage"\."objects" \(([^\n]+)\) from stdin;\n([^\n]+)\n/.exec(sql) ?? [];
  const index = columns.split(', ').indexOf('"version"');
  const values = row.split('\t');
  values[index] = version;
  return sql.replace(row, () => values.join('\t'));
}

/** Forgeries that must be rejected before the database is changed. */
export const FORGERIES: [kind: string, forgeries: Forgery[]][] = [
  ['Archives with changed bytes', TAMPERED],
  ['Truncated archives', TRUNCATED],
  ['Archives with unsafe paths', UNSAFE_PATHS],
  ['Zip bombs', BOMBS],
  ['Archives with invalid headers', HEADERS],
  ['Archives with invalid manifests', MANIFESTS],
];

/** Rebuilds a valid archive from its parts. */
export const rebuildArchive = (parts: ArchiveParts): Buffer => createZip(createEntries(parts));
