import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

const QUICK_BCRYPT = {
  find: /^@node-rs\/bcrypt$/,
  replacement: join(import.meta.dirname, 'packages/backend/tests/support/quick-bcrypt.ts'),
};

export default defineConfig({
  resolve: { alias: [QUICK_BCRYPT] },
  test: {
    include: [
      '{app,packages,server,supabase,scripts}/**/*.test.{ts,tsx}',
      'tests/{api,assistant,faults,policies,attacks}/**/*.test.ts',
      'tests/recipes/*.test.{ts,tsx}',
    ],
    globalSetup: ['tests/support/database-template.ts'],
    setupFiles: ['packages/backend/tests/support/fail-on-console-error.ts'],
    silent: 'passed-only',
    // Files of a worker share their modules, which are loaded and compiled once.
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
