import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Database of the run. `npm test` runs all on PGlite but what is enough on a server ("embedded"), and then the tests of
 * the API, the policies and the attacks on a real Postgres server ("postgres"). Without it everything that can runs on
 * PGlite, so that a file can be named.
 */
const database = process.env['TEST_DATABASE'];

/**
 * These are about PGlite, or start a process of their own that uses it, or a Postgres server of their own in any case; the
 * last two take long where only one statement runs at a time or a statement could bring the whole process down.
 */
const EMBEDDED_ONLY = [
  'tests/api/{backup-beside,commands,copies,crash,full-disk,deno-functions,moving,observing,own-postgres,point-in-time,server-process}.test.ts',
  'tests/api/{brand-pages,previews,served-pages}.test.ts',
  'tests/attacks/{all-lanes,pages}.test.ts',
  'tests/{api/rest-fuzz,attacks/rest-time}.test.ts',
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

/**
 * What policies, functions and the endpoints above them do is the same statements on the same version of Postgres. What
 * differs on PGlite is the driver (values, errors, deadlines), which the tests that stay on both hold, and that it has one
 * connection: on the server the tests refuse what would wait for ever on one (tests/support/one-connection.ts).
 */
const SERVER_IS_ENOUGH = [
  'tests/policies/**',
  'tests/api/auth-{anonymous,factors,mails,oauth-server,passkeys,phone,phone-factors,providers,recovery-codes}.test.ts',
  'tests/api/auth-{admin,attacks,identities,settings,sso,sso-admin}.test.ts',
  'tests/api/{assistant-checks,booking,brand,chat-archive,chat-built-in,chat-limits,content-counts,content-kinds}.test.ts',
  'tests/api/{content-origins,database-types,faq,growing-tables,lead-webhook,media-library,news,newsletter}.test.ts',
  'tests/api/{failover,own-account,pooled-postgres,releases,reorder-items,search-content,seed,signing-keys,stale-texts}.test.ts',
  'tests/api/{storage-pictures,storage-renditions,storage-resumable,storage-s3,unanswered-questions,visits}.test.ts',
  'tests/attacks/{access,accounts,accounts-filling,accounts-input,accounts-providers,accounts-unproven}.test.ts',
  'tests/attacks/{accounts-timing,booking,captcha-proof,crowds,filling,filling-storage,leads,oauth-server,password-turns}.test.ts',
  'tests/attacks/{phone,resumable-uploads,rest-plan,rest-privileges,rest-search,sso}.test.ts',
];

/** The first lets statements run into their deadline, which PGlite in memory does not survive; the others copy databases. */
const NATIVE_ONLY = ['tests/attacks/{rest-deadline,access-faults}.test.ts', 'tests/api/hosted-project.test.ts'];

const EXCLUDED =
  database === 'postgres'
    ? [...EMBEDDED_ONLY, ...DECIDED_BEFORE_SQL]
    : [...NATIVE_ONLY, ...(database === 'embedded' ? SERVER_IS_ENOUGH : [])];

export default defineConfig({
  test: {
    include:
      database === 'postgres'
        ? ['tests/{api,policies,attacks}/**/*.test.ts']
        : [
            '{app,backend,server,supabase,scripts}/**/*.test.{ts,tsx}',
            'tests/{api,assistant,faults,policies,attacks}/**/*.test.ts',
            'tests/recipes/*.test.{ts,tsx}',
          ],
    exclude: [...configDefaults.exclude, ...EXCLUDED],
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
