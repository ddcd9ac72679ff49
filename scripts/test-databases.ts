/**
 * Places each test on its databases (docs/decisions/tests.md). `npm test` runs all on PGlite but what is enough on a server
 * ("embedded"), and then the tests of the API, the policies and the attacks on a real Postgres server ("postgres"). Without
 * TEST_DATABASE everything that can runs on PGlite, so that a file can be named. What is in no list runs on both.
 */

/**
 * These are about PGlite, or start a process of their own that uses it, or a Postgres server of their own in any case; the
 * last two take long where only one statement runs at a time or a statement could bring the whole process down.
 */
export const EMBEDDED_ONLY = [
  'tests/api/{backup-beside,commands,copies,crash,full-disk,deno-functions,moving,observing,own-postgres,point-in-time,server-process}.test.ts',
  'tests/api/{brand-pages,previews,served-pages}.test.ts',
  'tests/attacks/{all-lanes,pages}.test.ts',
  'tests/{api/rest-fuzz,attacks/rest-time}.test.ts',
];

/**
 * Policies, functions and the endpoints above them run the same statements on the same version of Postgres. PGlite differs
 * in its driver (values, errors, deadlines), which the tests that stay on both hold, and in its one connection: on the
 * server the tests refuse what would wait for ever on one (tests/support/one-connection.ts). The last lines try answers that
 * are decided before a statement is run: by a signature, an archive's form, an address, a limit of the process. They are here
 * because a server runs their statements with two thirds of the processor's time.
 */
export const SERVER_IS_ENOUGH = [
  'tests/policies/**',
  'tests/api/auth-{anonymous,factors,mails,oauth-server,passkeys,phone,phone-factors,providers,recovery-codes}.test.ts',
  'tests/api/auth-{admin,attacks,identities,settings,sso,sso-admin}.test.ts',
  'tests/api/{assistant-checks,booking,brand,campaign-events,chat-archive,chat-built-in,chat-limits,content-counts}.test.ts',
  'tests/api/{content-kinds,content-origins,database-types,faq,growing-tables,lead-webhook,media-library,news,newsletter}.test.ts',
  'tests/api/{failover,large-releases,own-account,pooled-postgres,releases,reorder-items,report-summary,search-content,seed,signing-keys,stale-texts}.test.ts',
  'tests/api/storage-{attacks,buckets,media,pictures,renditions,resumable,s3}.test.ts',
  'tests/api/{unanswered-questions,visits}.test.ts',
  'tests/attacks/{access,accounts,accounts-filling,accounts-input,accounts-providers,accounts-unproven}.test.ts',
  'tests/attacks/{accounts-timing,booking,campaign-events,captcha-proof,clients-apart,crowds,filling,filling-storage}.test.ts',
  'tests/attacks/{leads,looking,oauth-server,password-turns,phone,portal,resumable-uploads,rest-plan,rest-privileges}.test.ts',
  'tests/attacks/{rest-search,sso}.test.ts',
  'tests/attacks/{archives,captcha,domain-check,fair-turns,held-bytes,sso-forgeries,tokens,upstream-guard}.test.ts',
  'tests/api/{auth-custom-providers,auth-id-tokens,auth-web3,chat-function,dead-links,domain-check,not-offered}.test.ts',
  'tests/api/{project-notes,stored-zip}.test.ts',
];

/** The first lets statements run into their deadline, which PGlite in memory does not survive; the others copy databases. */
export const NATIVE_ONLY = ['tests/attacks/{rest-deadline,access-faults}.test.ts', 'tests/api/hosted-project.test.ts'];

/** Returns the patterns of the tests that do not run on that value of TEST_DATABASE. */
export function excludedFrom(database: string | undefined): string[] {
  if (database === 'postgres') return EMBEDDED_ONLY;
  return [...NATIVE_ONLY, ...(database === 'embedded' ? SERVER_IS_ENOUGH : [])];
}
