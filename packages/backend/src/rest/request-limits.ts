/**
 * Limits of one request. Every row of a read costs time and memory in the one database that all share, so a stranger
 * gets what pages and editors need several times over, and no more. Reasons: docs/decisions/table-api.md.
 */
import type { Config } from '../config.ts';
import type { RequestIdentity } from '../database/request-role.ts';

export interface RequestLimits {
  role: RequestIdentity['role'];
  /** Deepest nesting of embedded resources. */
  embedDepth: number;
  embeds: number;
  /**
   * Most arrivals at one table on the way from the table read to an embedded resource, itself included, by a way back
   * that leads from each row to many others (require-within-limits.ts).
   */
  sameTable: number;
  /** Columns selected (`*` counts as all), ordered by, written or named, and the arguments of a call. */
  fields: number;
  /** Most names under which one column, or one JSON path in it, may be selected from one resource. */
  sameField: number;
  filters: number;
  /** Full-text searches among the filters. */
  searches: number;
  /** True when text may be searched that no index answers for: Postgres then makes a document of every row. */
  searchesAnyText: boolean;
  /** Values in all lists, such as those of `in`. */
  listValues: number;
  /** Wildcards in all patterns of `like` and `ilike`. */
  wildcards: number;
  /**
   * True when `match` and `imatch` are accepted: a regular expression can take Postgres as long as its author likes.
   */
  allowsRegex: boolean;
  /** True when `count()`, `sum()` and the other aggregates are accepted. */
  allowsAggregates: boolean;
  /** True when `Prefer: tx=rollback` and `tx=commit` have an effect. */
  choosesEnd: boolean;
  /** True when plans of statements are answered, which tell of rows that policies hide. */
  seesPlans: boolean;
  /** True when the description of a schema is answered. */
  seesSchemas: boolean;
  /** Rows in one write. */
  rows: number;
  /** Characters of the whole address. */
  urlLength: number;
  /** Bytes of the body that is sent. */
  bodyBytes: number;
  /** Bytes of the body that is answered. */
  answerBytes: number;
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
  searchesAnyText: false,
  listValues: 500,
  wildcards: 20,
  allowsRegex: false,
  allowsAggregates: false,
  choosesEnd: false,
  seesPlans: false,
  seesSchemas: false,
  rows: 1000,
  urlLength: 16_384,
  bodyBytes: MEGABYTE,
  answerBytes: 10 * MEGABYTE,
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
  searchesAnyText: true,
  listValues: Number.POSITIVE_INFINITY,
  wildcards: Number.POSITIVE_INFINITY,
  allowsRegex: true,
  allowsAggregates: true,
  choosesEnd: true,
  seesPlans: true,
  seesSchemas: true,
  rows: Number.POSITIVE_INFINITY,
  urlLength: Number.POSITIVE_INFINITY,
  bodyBytes: 50 * MEGABYTE,
  answerBytes: Number.POSITIVE_INFINITY,
};

/** Returns the limits of a request. The settings give everybody what the service has. */
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
    choosesEnd: limits.choosesEnd || settings.REST_TX_OVERRIDE,
  };
}
