import type { MediaType } from '../parse/parse-media-type.ts';

/**
 * Writes the answer's body as one text, aggregated over rows called "__row". Postgres writes it, so that nothing is
 * parsed and written again here. `value` is what becomes an element of the list.
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

/** A line of names, then each row as Postgres writes a composite value, without its brackets. */
const CSV = `coalesce(
  (select string_agg(name, ',') from json_object_keys((array_agg(row_to_json("__row")))[1]) as keys (name))
    || e'\\n' || string_agg(substring("__row"::text, 2, length("__row"::text) - 2), e'\\n'),
  '')`;
