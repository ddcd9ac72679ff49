import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Runs only the tests of this package. The vitest.config.ts of the repository also includes them. */
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^@node-rs\/bcrypt$/,
        replacement: join(import.meta.dirname, 'tests/support/quick-bcrypt.ts'),
      },
    ],
  },
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/support/test-server.ts'],
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    silent: 'passed-only',
    isolate: false,
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
