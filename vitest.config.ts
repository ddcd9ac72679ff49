import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** TEST_DATABASE=postgres runs the tests of the API, the policies and the attacks again, on a real Postgres server. */
const isNative = process.env['TEST_DATABASE'] === 'postgres';

/** These are about PGlite, or start a process of their own that uses it, or a Postgres server of their own in any case. */
const EMBEDDED_ONLY = [
  'tests/api/{commands,copies,crash,full-disk,deno-functions,moving,observing,own-postgres,server-process}.test.ts',
  'tests/api/{brand-pages,previews,served-pages}.test.ts',
  'tests/attacks/{all-lanes,pages}.test.ts',
];

/**
 * What these try is decided before a statement is run, or by services beside the database: a message's signature, an
 * archive's form, an address, a limit of the process, the provider of a sign-in. The statements behind are run on both
 * databases by the other tests of the same subject.
 */
const DECIDED_BEFORE_SQL = [
  'tests/attacks/{archives,captcha,fair-turns,held-bytes,sso-forgeries,tokens,upstream-guard}.test.ts',
  'tests/api/{auth-custom-providers,auth-id-tokens,auth-web3,chat-function,dead-links,not-offered}.test.ts',
];

/** The first lets statements run into their deadline, which PGlite in memory does not survive; the others copy databases. */
const NATIVE_ONLY = ['tests/attacks/{rest-deadline,access-faults}.test.ts', 'tests/api/hosted-project.test.ts'];

export default defineConfig({
  test: {
    include: isNative
      ? ['tests/{api,policies,attacks}/**/*.test.ts']
      : [
          '{app,backend,server,supabase,scripts}/**/*.test.{ts,tsx}',
          'tests/{api,assistant,faults,policies,attacks}/**/*.test.ts',
          'tests/recipes/*.test.{ts,tsx}',
        ],
    exclude: [...configDefaults.exclude, ...(isNative ? [...EMBEDDED_ONLY, ...DECIDED_BEFORE_SQL] : NATIVE_ONLY)],
    globalSetup: ['tests/support/database-template.ts'],
    setupFiles: ['tests/support/fail-on-console-error.ts'],
    silent: 'passed-only',
    // Files of a worker share their modules, and with them what V8 has made of Postgres: that halves the time of the run.
    isolate: false,
    // Vitest leaves one core to its own process, which has little to do here.
    maxWorkers: availableParallelism(),
    // Generous, because nothing may depend on the speed of the machine; and no retries, because a test that fails once
    // has found a fault.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
