import type { MediaType } from '../parse/parse-media-type.ts';

/**
 * Returns SQL that aggregates the rows of the alias "__row" to the text of the response body, so that this process
 * does not have to parse and serialize the rows. `value` is the expression for one list element.
 */
export function bodySql({ kind, stripNulls }: MediaType, value = '"__row"'): string {
  if (kind === 'csv') return CSV;
  if (kind === 'geojson') return GEOJSON;
  const rows = stripNulls ? `json_strip_nulls(json_agg(${value}))` : `json_agg(${value})`;
  return kind === 'object' ? `coalesce(${rows}->0, 'null')::text` : `coalesce(${rows}, '[]')::text`;
}

/** Needs PostGIS. Without it, Postgres reports the missing function. */
const GEOJSON = `json_build_object(
  'type', 'FeatureCollection', 'features', coalesce(json_agg(st_asgeojson("__row")::json), '[]'))::text`;

/** A header line, then each row in Postgres's composite format, without the parentheses. */
const CSV = `coalesce(
  (select string_agg(name, ',') from json_object_keys((array_agg(row_to_json("__row")))[1]) as keys (name))
    || e'\\n' || string_agg(substring("__row"::text, 2, length("__row"::text) - 2), e'\\n'),
  '')`;
