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
    // Files of a worker share modules, which are loaded and compiled once.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Workers spend half of their time waiting for databases, mails, timers and servers.
    maxWorkers: 2 * availableParallelism(),
    // Show complete values, because a rare failure can only be diagnosed from its message.
    chaiConfig: { truncateThreshold: 0 },
    // They only end a test that hangs, so that no test depends on the speed of the machine: some take a minute on a fast
    // one. No retries, because a flaky test is a bug.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
