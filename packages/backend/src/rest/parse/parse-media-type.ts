import { mediaTypeNotAvailable } from '../rest-errors.ts';

/** Format of a response body. */
export interface MediaType {
  kind: 'array' | 'object' | 'csv' | 'geojson';
  stripNulls: boolean;
  contentType: string;
  /** Requests the query plan instead of the result. */
  plan: PlanFormat | null;
}

export interface PlanFormat {
  format: 'json' | 'text';
  options: readonly PlanOption[];
}

const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;
type PlanOption = (typeof PLAN_OPTIONS)[number];

const CHARSET = '; charset=utf-8';

const JSON_ARRAY: MediaType = offer('array', 'application/json');

const OFFERED: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  ['application/geo+json', offer('geojson', 'application/geo+json')],
  ['text/csv', offer('csv', 'text/csv')],
]);

function offer(kind: MediaType['kind'], type: string, stripNulls = false): MediaType {
  return { kind, stripNulls, contentType: type + CHARSET, plan: null };
}

const OPENAPI = offer('object', 'application/openapi+json');

/** Media types of the schema description. */
const OFFERED_AT_ROOT: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', OPENAPI],
  ['application/json', OPENAPI],
  ['application/openapi+json', OPENAPI],
]);

/**
 * Returns the available type that the client prefers. Plans are only available to callers who may see them. @throws
 * ApiError PGRST107
 */
export function negotiateMediaType(
  accept: string | null,
  { seesPlans, isRoot }: { seesPlans: boolean; isRoot: boolean },
): MediaType {
  if (!isRoot && (accept === null || accept === '*/*')) return JSON_ARRAY;
  const accepted = (accept ?? '*/*')
    .split(',')
    .map(parseAccepted)
    .sort((a, b) => b.quality - a.quality);
  for (const range of accepted) {
    const isPlan = !isRoot && PLAN.test(range.type);
    const offered = isRoot ? OFFERED_AT_ROOT.get(range.type) : isPlan ? seesPlans && planned(range) : offeredAs(range);
    if (offered) return offered;
  }
  throw mediaTypeNotAvailable(accepted.map(({ type }) => type));
}

interface Accepted {
  type: string;
  parameters: readonly string[];
  quality: number;
}

function parseAccepted(part: string): Accepted {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return { type: type || '*/*', parameters, quality: Number.isNaN(quality) ? 0 : quality };
}

function offeredAs({ type, parameters }: Pick<Accepted, 'type' | 'parameters'>): MediaType | null {
  if (!type.startsWith('application/vnd.pgrst.')) return OFFERED.get(type) ?? null;
  const stripNulls = parameters.includes('nulls=stripped');
  const shape = /^application\/vnd\.pgrst\.(object|array)(?:\+json)?$/.exec(type)?.[1];
  if (shape !== 'object' && shape !== 'array') return null;
  if (shape === 'array' && !stripNulls) return JSON_ARRAY;
  return offer(shape, `application/vnd.pgrst.${shape}+json${stripNulls ? ';nulls=stripped' : ''}`, stripNulls);
}

const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/;

/**
 * `application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose`: the plan of a request for another type.
 */
function planned({ type, parameters }: Accepted): MediaType | null {
  const parameterOf = (name: string) => parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const planOf = offeredAs({ type: parameterOf('for')?.replaceAll('"', '') ?? 'application/json', parameters: [] });
  if (planOf === null) return null;
  const format = PLAN.exec(type)?.[1] === 'json' ? 'json' : 'text';
  const requested = parameterOf('options')?.split('|') ?? [];
  const options = PLAN_OPTIONS.filter((option) => requested.includes(option));
  const described = [
    `application/vnd.pgrst.plan+${format}`,
    `for="${planOf.contentType.replace(CHARSET, '')}"`,
    ...(options.length > 0 ? [`options=${options.join('|')}`] : []),
  ];
  return { ...planOf, contentType: described.join('; ') + CHARSET, plan: { format, options } };
}
