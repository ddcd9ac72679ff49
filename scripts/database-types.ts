import type { Column, Parameter, Relationship, RestFunction, SchemaCache, Table } from '@signalfjord/backend/commands';

/** Generates a TypeScript module from the schema cache, in the format of `supabase gen types`. */
export function databaseTypes(schema: SchemaCache): string {
  const relations = [...schema.tables.values()];
  const tables = relations.filter(({ isView }) => !isView).map((table) => tableType(schema, table));
  const views = relations.filter(({ isView }) => isView).map((table) => tableType(schema, table));
  const functions = [...schema.functions.values()].map((overloads) => functionType(schema, overloads));
  return `// Written by \`npm run types\` from supabase/migrations. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  __InternalSupabase: { PostgrestVersion: '13' }
  public: {
    Tables: ${block(tables)}
    Views: ${block(views)}
    Functions: ${block(functions)}
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
`;
}

function block(members: readonly string[]): string {
  return members.length === 0 ? '{ [_ in never]: never }' : `{\n${indent(members.join('\n'), 6)}\n    }`;
}

function tableType(schema: SchemaCache, table: Table): string {
  const columns = [...table.columns.values()].sort((a, b) => a.name.localeCompare(b.name));
  const relationships = (schema.relationships.get(table.name) ?? [])
    .filter(({ ownsKey }) => ownsKey)
    .map(relationshipType);
  const writable = columns.map((column) => writtenColumn(column, column.nullable || column.defaultSql !== null));
  return [
    `${key(table.name)}: {`,
    '  Row: {',
    ...columns.map((column) => `    ${key(column.name)}: ${columnType(column)}`),
    '  }',
    '  Insert: {',
    ...writable.map((line) => `    ${line}`),
    '  }',
    '  Update: {',
    ...columns.map((column) => `    ${writtenColumn(column, true)}`),
    '  }',
    relationships.length === 0
      ? '  Relationships: []'
      : `  Relationships: [\n${indent(relationships.join('\n'), 4)}\n  ]`,
    '}',
  ].join('\n');
}

function relationshipType({ constraint, columns, foreignTable, cardinality }: Relationship): string {
  const names = (index: 0 | 1) => columns.map((pair) => quote(pair[index])).join(', ');
  return [
    '{',
    `  foreignKeyName: ${quote(constraint)}`,
    `  columns: [${names(0)}]`,
    `  isOneToOne: ${cardinality === 'one-to-one'}`,
    `  referencedRelation: ${quote(foreignTable)}`,
    `  referencedColumns: [${names(1)}]`,
    '},',
  ].join('\n');
}

function writtenColumn(column: Column, isOptional: boolean): string {
  if (column.isGenerated) return `${key(column.name)}?: never`;
  return `${key(column.name)}${isOptional ? '?' : ''}: ${columnType(column)}`;
}

function columnType({ baseType, enumValues, nullable }: Column): string {
  const type = enumValues ? enumValues.map(quote).join(' | ') : scalarType(baseType);
  return nullable ? `${type} | null` : type;
}

function functionType(schema: SchemaCache, overloads: readonly RestFunction[]): string {
  const name = overloads[0]?.name ?? '';
  const shapes = overloads.map((overload) => {
    const resultType = returnType(schema, overload);
    return `{ Args: ${argumentsType(overload.parameters)}; Returns: ${resultType} }`;
  });
  return `${key(name)}: ${shapes.join(' | ')}`;
}

function argumentsType(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'never';
  const members = parameters.map(({ name, type, isRequired }) => {
    return `${key(name)}${isRequired ? '' : '?'}: ${scalarType(type)}`;
  });
  return `{ ${members.join('; ')} }`;
}

function returnType(
  schema: SchemaCache,
  { returns, returnType: type, returnTable, returnsSet, columns }: RestFunction,
) {
  if (returns === 'void') return 'undefined';
  let row = scalarType(type);
  if (returnTable !== null && schema.tables.has(returnTable)) {
    row = `Database['public']['Tables'][${quote(returnTable)}]['Row']`;
  } else if (returns === 'row') {
    row = `{ ${columns.map((column) => `${key(column.name)}: ${scalarType(column.type)}`).join('; ')} }`;
  }
  return returnsSet ? `${row.includes(' ') && !row.startsWith('{') ? `(${row})` : row}[]` : row;
}

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  numeric: 'number',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
  record: 'Record<string, unknown>',
};

function scalarType(type: string): string {
  if (type.endsWith('[]')) return `${scalarType(type.slice(0, -2))}[]`;
  return SCALARS[type.replace(/\(.*\)/, '')] ?? 'string';
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function indent(text: string, spaces: number): string {
  return text.replace(/^/gm, ' '.repeat(spaces));
}
