import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { excludedFrom } from './scripts/test-databases.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

/** See scripts/test-databases.ts. */
const database = process.env['TEST_DATABASE'];

const QUICK_BCRYPT = {
  find: /^@node-rs\/bcrypt$/,
  replacement: join(import.meta.dirname, 'tests/support/quick-bcrypt.ts'),
};

export default defineConfig({
  resolve: { alias: database === 'postgres' ? [QUICK_BCRYPT] : [] },
  test: {
    include:
      database === 'postgres'
        ? ['tests/{api,policies,attacks}/**/*.test.ts']
        : [
            '{app,backend,server,supabase,scripts}/**/*.test.{ts,tsx}',
            'tests/{api,assistant,faults,policies,attacks}/**/*.test.ts',
            'tests/recipes/*.test.{ts,tsx}',
          ],
    exclude: [...configDefaults.exclude, ...excludedFrom(database)],
    globalSetup: ['tests/support/database-template.ts'],
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    silent: 'passed-only',
    // Files of a worker share their modules, and with them what V8 has made of Postgres: that halves the time of the run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A worker waits for half of its time: for a database, a mail, a timer, a server that starts.
    maxWorkers: 2 * availableParallelism(),
    // A failure that does not come again is known by its message alone: it names all that came.
    chaiConfig: { truncateThreshold: 0 },
    // Generous, because nothing may depend on the speed of the machine; and no retries, because a test that fails once
    // has found a fault.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
