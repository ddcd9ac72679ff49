/**
 * Limits of a request. All requests share one database, so the limits are only a few times higher than the needs of the
 * pages and editors. Reasons: docs/decisions/table-api.md.
 */
import type { Config } from '../config.ts';
import type { RequestIdentity } from '../database/request-role.ts';

export interface RequestLimits {
  role: RequestIdentity['role'];
  /** Maximum depth of embedded resources. */
  embedDepth: number;
  embeds: number;
  /**
   * Maximum occurrences of one table on the path to an embedded resource, including itself. Counts only steps that
   * multiply rows (count-fan-outs.ts).
   */
  sameTable: number;
  /** Selected, ordered, written and named columns (`*` counts as all columns), and the arguments of a call. */
  fields: number;
  /** Maximum aliases of one column, or of one JSON path in it, in one resource. */
  sameField: number;
  filters: number;
  /** Full-text searches in filters. */
  searches: number;
  /** True if text without an index can be searched. Postgres then parses the text of every row. */
  canSearchWithoutIndex: boolean;
  /** Values in all lists, such as those of `in`. */
  listValues: number;
  /** Wildcards in all patterns of `like` and `ilike`. */
  wildcards: number;
  /** True if `match` and `imatch` are accepted. A regular expression can take Postgres arbitrarily long. */
  allowsRegex: boolean;
  /** True if `count()`, `sum()` and the other aggregates are accepted. */
  allowsAggregates: boolean;
  /** True if `Prefer: tx=rollback` and `tx=commit` are accepted. */
  allowsTxOverride: boolean;
  /** True if query plans are returned, which reveal rows hidden by policies. */
  allowsPlans: boolean;
  /** True if the schema description is returned. */
  allowsSchemaDescription: boolean;
  /** Rows in one write. */
  rows: number;
  /** Characters of the whole URL. */
  urlLength: number;
  /** Bytes of the request body. */
  bodyBytes: number;
  /** Bytes of the response body. */
  responseBytes: number;
}

const MEGABYTE = 1024 * 1024;

type Limits = Omit<RequestLimits, 'role'>;

const ANONYMOUS: Limits = {
  embedDepth: 3,
  embeds: 5,
  sameTable: 1,
  fields: 100,
  sameField: 3,
  filters: 200,
  searches: 5,
  canSearchWithoutIndex: false,
  listValues: 500,
  wildcards: 20,
  allowsRegex: false,
  allowsAggregates: false,
  allowsTxOverride: false,
  allowsPlans: false,
  allowsSchemaDescription: false,
  rows: 1000,
  urlLength: 16_384,
  bodyBytes: MEGABYTE,
  responseBytes: 10 * MEGABYTE,
};

const SIGNED_IN: Limits = {
  ...ANONYMOUS,
  embedDepth: 5,
  embeds: 15,
  sameTable: 2,
  fields: 300,
  sameField: 5,
  filters: 500,
  searches: 20,
  listValues: 2000,
  wildcards: 100,
  rows: 10_000,
  bodyBytes: 10 * MEGABYTE,
};

/** The service role is trusted. Only the memory for its bodies is limited. */
const SERVICE: Limits = {
  embedDepth: Number.POSITIVE_INFINITY,
  embeds: Number.POSITIVE_INFINITY,
  sameTable: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
  sameField: Number.POSITIVE_INFINITY,
  filters: Number.POSITIVE_INFINITY,
  searches: Number.POSITIVE_INFINITY,
  canSearchWithoutIndex: true,
  listValues: Number.POSITIVE_INFINITY,
  wildcards: Number.POSITIVE_INFINITY,
  allowsRegex: true,
  allowsAggregates: true,
  allowsTxOverride: true,
  allowsPlans: true,
  allowsSchemaDescription: true,
  rows: Number.POSITIVE_INFINITY,
  urlLength: Number.POSITIVE_INFINITY,
  bodyBytes: 50 * MEGABYTE,
  responseBytes: Number.POSITIVE_INFINITY,
};

/** Returns the limits of a role. The REST_* settings lift some of them. */
export function limitsFor(
  role: RequestIdentity['role'],
  settings: Pick<Config, 'REST_REGEX_FILTERS' | 'REST_AGGREGATES' | 'REST_TX_OVERRIDE'>,
): RequestLimits {
  const limits = role === 'service_role' ? SERVICE : role === 'authenticated' ? SIGNED_IN : ANONYMOUS;
  return {
    ...limits,
    role,
    allowsRegex: limits.allowsRegex || settings.REST_REGEX_FILTERS,
    allowsAggregates: limits.allowsAggregates || settings.REST_AGGREGATES,
    allowsTxOverride: limits.allowsTxOverride || settings.REST_TX_OVERRIDE,
  };
}
