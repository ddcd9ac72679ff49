/** Content forms store or reject values at or beyond a field's limit. Rejection messages contain no SQL terms. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../app/content/kinds.ts';
import { emptyValues } from '../../app/content/schema-fields.ts';
import { plainMessage } from '../../app/ui/lib/plain-error.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const HOSTILE = [
  ...['99999999999', '-99999999999', '2147483647', '2147483648', '1e400', '-0', 'NaN', '0x10', '1.5', ''],
  ...['infinity', '275760-09-13T00:00', '-271821-04-20T00:00:00.000Z', '1900-01-01T00:00', '2999-12-31T00:00'],
  ...['\u0000', '\uD800', 'x'.repeat(200), 'x'.repeat(301), 'x'.repeat(2001), 'x'.repeat(5001), 'x'.repeat(200_001)],
];

/** Postgres terms that must not appear in error messages. */
const SQL_WORDS =
  /type integer|out of range for|violates|constraint|syntax|relation|column|Unicode escape|byte sequence/;

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

test.each(KINDS.map((kind) => [kind.table, kind] as const))(
  'Every field of %s stores an extreme value or rejects it with a clear message',
  async (table, kind) => {
    const { schema } = kind;
    for (const field of Object.keys(schema.shape)) {
      for (const value of HOSTILE) {
        const description = `${table}.${field} = ${JSON.stringify(value.slice(0, 30))} (${value.length})`;
        const validValues = Object.fromEntries(
          Object.entries(emptyValues(schema)).map(([key, initial]) => [
            key,
            initial === '' && /title|name|question/.test(key) ? 'Title' : initial,
          ]),
        );
        const result = schema.safeParse({ ...validValues, [field]: value });
        if (!result.success) {
          expect(result.error.issues[0]?.message, description).toMatch(/^[A-Z]/);
          continue;
        }
        const row = { ...result.data, ...('slug' in result.data && field !== 'slug' && { slug: crypto.randomUUID() }) };
        const values: object = kind.toRow(row);
        const { error } = await admin.from(table).insert(values);
        if (error) expect(plainMessage(error.message) ?? error.message, description).not.toMatch(SQL_WORDS);
      }
    }
  },
);
