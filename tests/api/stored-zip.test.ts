import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedZip } from '../../app/ui/lib/stored-zip.ts';
import { openStrictZip } from '../../packages/backend/src/export-import/strict-zip.ts';

const entry = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });

test('A strict ZIP reader finds every entry, including empty files, folders and non-Latin names', async () => {
  const entries = [
    entry('README.txt', 'Hei på deg'),
    entry('leer', ''),
    entry('mapper/blåbær 報告.json', '{}'.repeat(5000)),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'stored-zip-'));
  try {
    const path = join(folder, 'a.zip');
    writeFileSync(path, Buffer.concat(storedZip(entries, new Date('2026-11-24T13:01:02Z'))));
    const zip = await openStrictZip(path, () => true);
    expect([...zip.entries.keys()]).toEqual(entries.map(({ name }) => name));
    for (const { name, bytes } of entries) {
      const zipEntry = zip.entries.get(name);
      if (!zipEntry) throw new Error(name);
      expect(zipEntry.getLastModDate({ timezone: 'UTC' }).toISOString()).toBe('2026-11-24T13:01:02.000Z');
      const chunks = await (await zip.read(zipEntry)).toArray();
      expect(Buffer.concat(chunks).equals(Buffer.from(bytes)), name).toBe(true);
    }
    zip.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
