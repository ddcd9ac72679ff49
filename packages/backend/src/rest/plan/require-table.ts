import { tableNotFound } from '../rest-errors.ts';
import type { SchemaCache, Table } from '../schema/schema-cache.ts';
import { closestName } from './closest-name.ts';

/** @throws ApiError PGRST205, with a suggestion if a table has a similar name */
export function requireTable(schema: SchemaCache, name: string): Table {
  const table = schema.tables.get(name);
  if (!table) throw tableNotFound(schema.name, name, closestName(name, schema.tables.keys()));
  return table;
}
