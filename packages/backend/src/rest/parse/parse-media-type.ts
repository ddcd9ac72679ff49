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

const JSON_ARRAY: MediaType = mediaType('array', 'application/json');

const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  ['application/geo+json', mediaType('geojson', 'application/geo+json')],
  ['text/csv', mediaType('csv', 'text/csv')],
]);

function mediaType(kind: MediaType['kind'], type: string, stripNulls = false): MediaType {
  return { kind, stripNulls, contentType: type + CHARSET, plan: null };
}

const OPENAPI = mediaType('object', 'application/openapi+json');

/** Media types of the schema description. */
const ROOT_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', OPENAPI],
  ['application/json', OPENAPI],
  ['application/openapi+json', OPENAPI],
]);

/**
 * Returns the available type that the client prefers. Plans are only available with `allowsPlans`.
 * @throws ApiError PGRST107
 */
export function negotiateMediaType(
  accept: string | null,
  { allowsPlans, isRoot }: { allowsPlans: boolean; isRoot: boolean },
): MediaType {
  if (!isRoot && (accept === null || accept === '*/*')) return JSON_ARRAY;
  const mediaTypes = (accept ?? '*/*')
    .split(',')
    .map(parseAccepted)
    .sort((a, b) => b.quality - a.quality);
  for (const range of mediaTypes) {
    const isPlan = !isRoot && PLAN.test(range.type);
    const match = isRoot ? ROOT_TYPES.get(range.type) : isPlan ? allowsPlans && parsePlanType(range) : findType(range);
    if (match) return match;
  }
  throw mediaTypeNotAvailable(mediaTypes.map(({ type }) => type));
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

function findType({ type, parameters }: Pick<Accepted, 'type' | 'parameters'>): MediaType | null {
  if (!type.startsWith('application/vnd.pgrst.')) return TYPES.get(type) ?? null;
  const stripNulls = parameters.includes('nulls=stripped');
  const shapeName = /^application\/vnd\.pgrst\.(object|array)(?:\+json)?$/.exec(type)?.[1];
  if (shapeName !== 'object' && shapeName !== 'array') return null;
  if (shapeName === 'array' && !stripNulls) return JSON_ARRAY;
  return mediaType(
    shapeName,
    `application/vnd.pgrst.${shapeName}+json${stripNulls ? ';nulls=stripped' : ''}`,
    stripNulls,
  );
}

const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/;

/**
 * Parses a plan type such as `application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose`.
 */
function parsePlanType({ type, parameters }: Accepted): MediaType | null {
  const lookUp = (name: string) => parameters.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
  const resultType = findType({ type: lookUp('for')?.replaceAll('"', '') ?? 'application/json', parameters: [] });
  if (resultType === null) return null;
  const format = PLAN.exec(type)?.[1] === 'json' ? 'json' : 'text';
  const requestedOptions = lookUp('options')?.split('|') ?? [];
  const options = PLAN_OPTIONS.filter((option) => requestedOptions.includes(option));
  const contentTypeParts = [
    `application/vnd.pgrst.plan+${format}`,
    `for="${resultType.contentType.replace(CHARSET, '')}"`,
    ...(options.length > 0 ? [`options=${options.join('|')}`] : []),
  ];
  return { ...resultType, contentType: contentTypeParts.join('; ') + CHARSET, plan: { format, options } };
}
