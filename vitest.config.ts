import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,backend,server,supabase,scripts}/**/*.test.{ts,tsx}', 'tests/{api,policies}/**/*.test.ts'],
    globalSetup: ['tests/support/database-template.ts'],
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    silent: 'passed-only',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
