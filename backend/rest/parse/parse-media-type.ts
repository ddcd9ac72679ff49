import { mediaTypeNotAvailable } from '../rest-errors.ts';

/** The shape of an answer's body. */
export interface MediaType {
  kind: 'array' | 'object' | 'csv';
  stripNulls: boolean;
  contentType: string;
}

const JSON_ARRAY: MediaType = {
  kind: 'array',
  stripNulls: false,
  contentType: 'application/json; charset=utf-8',
};

const CSV: MediaType = { kind: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' };

const OFFERED: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  ['text/csv', CSV],
]);

/** The offered type that the client likes best. @throws ApiError PGRST107 */
export function negotiateMediaType(accept: string | null): MediaType {
  if (accept === null || accept === '*/*') return JSON_ARRAY;
  const accepted = accept
    .split(',')
    .map(parseAccepted)
    .sort((a, b) => b.quality - a.quality);
  for (const { type, stripNulls } of accepted) {
    const offered = type.startsWith('application/vnd.pgrst.') ? vendored(type, stripNulls) : OFFERED.get(type);
    if (offered) return offered;
  }
  throw mediaTypeNotAvailable(accepted.map(({ type }) => type));
}

function parseAccepted(part: string): { type: string; stripNulls: boolean; quality: number } {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return {
    type: type || '*/*',
    stripNulls: parameters.includes('nulls=stripped'),
    quality: Number.isNaN(quality) ? 0 : quality,
  };
}

function vendored(type: string, stripNulls: boolean): MediaType | null {
  const shape = /^application\/vnd\.pgrst\.(object|array)(?:\+json)?$/.exec(type)?.[1];
  if (shape !== 'object' && shape !== 'array') return null;
  if (shape === 'array' && !stripNulls) return JSON_ARRAY;
  return {
    kind: shape,
    stripNulls,
    contentType: `application/vnd.pgrst.${shape}+json${stripNulls ? ';nulls=stripped' : ''}; charset=utf-8`,
  };
}
