/** GET and HEAD of /rest/v1/: an OpenAPI document of the tables and functions that the caller may use. */

import { onlyRow } from './caller-database.ts';
import { openApiDocument } from './respond/openapi.ts';
import type { RestCall } from './rest-call.ts';
import type { SchemaCache } from './schema/schema-cache.ts';

/** @throws DatabaseError */
export async function describeSchema(call: RestCall): Promise<Response> {
  const { request, schema, database } = call;
  const results = await database.run<[Grants]>([{ text: SELECT_GRANTED, values: [schema.name] }], { isReadOnly: true });
  const body = JSON.stringify(openApiDocument(withGrantedOnly(schema, onlyRow(results)), call.root()));
  const headers = {
    'content-type': request.mediaType.contentType,
    ...(request.returnsProfile ? { 'content-profile': schema.name } : {}),
  };
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

interface Grants {
  tables: readonly string[];
  functions: readonly string[];
}

const SELECT_GRANTED = `
  select
    coalesce((
      select json_agg(c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p')
        and (has_table_privilege(c.oid, 'select, insert, update, delete')
          or has_any_column_privilege(c.oid, 'select, insert, update'))
    ), '[]') as tables,
    coalesce((
      select json_agg(p.proname) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and has_function_privilege(p.oid, 'execute')
    ), '[]') as functions`;

function withGrantedOnly(schema: SchemaCache, granted: Grants): SchemaCache {
  return {
    ...schema,
    tables: new Map([...schema.tables].filter(([name]) => granted.tables.includes(name))),
    functions: new Map([...schema.functions].filter(([name]) => granted.functions.includes(name))),
  };
}
