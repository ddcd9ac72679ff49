/**
 * Reads the sources for calls of `query<Row>`: the SQL of each, and what its row type says of the columns. Types are gone
 * when the program runs, so this is where they are held against what the database returns.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** Kind of a property in TypeScript; `any` stands for unknown, and `json` for objects. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'Date' | 'bytes' | 'array' | 'json' | 'any';

export interface TypedStatement {
  /** The file and line of the call. */
  place: string;
  sql: string;
  columns: ReadonlyMap<string, ReadonlySet<Kind>>;
}

/** Thrown for SQL that is put together as the program runs, and for types that say nothing of columns. */
export class UnreadableError extends Error {}

type TypeNode = ESTree.TSType;
type Declaration = ESTree.TSInterfaceDeclaration | ESTree.TSTypeAliasDeclaration;
type QueryCall = ESTree.CallExpression & { typeArguments: ESTree.TSTypeParameterInstantiation };

interface Source {
  file: string;
  text: string;
  constants: Map<string, ESTree.Expression>;
  functions: Map<string, ESTree.Function>;
  types: Map<string, Declaration>;
  imports: Map<string, { file: string; name: string }>;
  calls: QueryCall[];
}

const sources = new Map<string, Source>();

/** Reads the calls of a file. @param text stands for what the file holds, in tests of this module */
export function typedStatements(file: string, text?: string): (TypedStatement | UnreadableError)[] {
  const source = text === undefined ? sourceOf(file) : readSource(file, text);
  return source.calls.map((call) => {
    const place = `${file}:${source.text.slice(0, call.start).split('\n').length}`;
    try {
      const [sql] = call.arguments;
      const [row] = call.typeArguments.params;
      if (sql === undefined || sql.type === 'SpreadElement' || row === undefined) throw new UnreadableError(place);
      return { place, sql: textOf(sql, source), columns: membersOf(row, source) };
    } catch (error) {
      if (error instanceof UnreadableError) return new UnreadableError(`${place}: ${error.message}`);
      throw error;
    }
  });
}

function sourceOf(file: string): Source {
  const known = sources.get(file) ?? readSource(file, readFileSync(file, 'utf8'));
  sources.set(file, known);
  return known;
}

function readSource(file: string, text: string): Source {
  const source: Source = {
    ...{ file, text, constants: new Map(), functions: new Map(), types: new Map(), imports: new Map(), calls: [] },
  };
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init !== null) source.constants.set(id.name, init);
    },
    FunctionDeclaration(node) {
      if (node.id !== null) source.functions.set(node.id.name, node);
    },
    TSInterfaceDeclaration: (node) => source.types.set(node.id.name, node),
    TSTypeAliasDeclaration: (node) => source.types.set(node.id.name, node),
    ImportDeclaration({ source: from, specifiers }) {
      if (!from.value.startsWith('.')) return;
      for (const { type, local, ...rest } of specifiers) {
        const name = 'imported' in rest && rest.imported.type === 'Identifier' ? rest.imported.name : local.name;
        if (type === 'ImportSpecifier')
          source.imports.set(local.name, { file: resolve(dirname(file), from.value), name });
      }
    },
    CallExpression(node) {
      if (isQuery(node)) source.calls.push(node);
    },
  }).visit(parseSync(file, text).program);
  return source;
}

function isQuery(node: ESTree.CallExpression): node is QueryCall {
  const { callee, typeArguments } = node;
  return (
    typeArguments != null &&
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'query'
  );
}

/** Returns the text that an expression makes of constants. */
function textOf(node: ESTree.Expression, source: Source, given: ReadonlyMap<string, string> = new Map()): string {
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string' || typeof node.value === 'number') return String(node.value);
      break;
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }, index) => {
          const expression = node.expressions[index];
          return `${value.cooked}${expression === undefined ? '' : textOf(expression, source, given)}`;
        })
        .join('');
    case 'ConditionalExpression':
      return textOf(node.consequent, source, given);
    case 'Identifier': {
      const text = given.get(node.name);
      if (text !== undefined) return text;
      const found = lookUp(node.name, source, constantsOf);
      if (found !== null) return textOf(found.node, found.source);
      break;
    }
    case 'CallExpression':
      return textOfCall(node, source, given);
  }
  throw new UnreadableError(`cannot tell what \`${source.text.slice(node.start, node.end)}\` is`);
}

/** Returns what a function of one expression makes of its arguments. */
function textOfCall(node: ESTree.CallExpression, source: Source, given: ReadonlyMap<string, string>): string {
  const name = node.callee.type === 'Identifier' ? node.callee.name : '';
  const constant = lookUp(name, source, constantsOf);
  const found =
    constant?.node.type === 'ArrowFunctionExpression'
      ? { node: constant.node, source: constant.source }
      : lookUp(name, source, functionsOf);
  const body = found?.node.body;
  const last = body?.type === 'BlockStatement' ? body.body.at(-1) : body;
  const result = last?.type === 'ReturnStatement' ? last.argument : last;
  if (found == null || result == null || !isExpression(result)) {
    throw new UnreadableError(`cannot tell what \`${source.text.slice(node.start, node.end)}\` returns`);
  }
  const inner = new Map<string, string>();
  for (const [index, parameter] of found.node.params.entries()) {
    const argument = node.arguments[index];
    if (parameter.type === 'Identifier' && argument !== undefined && argument.type !== 'SpreadElement') {
      inner.set(parameter.name, textOf(argument, source, given));
    }
  }
  return textOf(result, found.source, inner);
}

function isExpression(node: ESTree.Statement | ESTree.Expression | ESTree.Function['body']): node is ESTree.Expression {
  return node !== null && !/Statement|Declaration|FunctionBody/.test(node.type);
}

/** Finds a declaration by its name, here or where it is imported from. */
function lookUp<Node>(
  name: string,
  source: Source,
  among: (source: Source) => ReadonlyMap<string, Node>,
): { node: Node; source: Source } | null {
  const node = among(source).get(name);
  if (node !== undefined) return { node, source };
  const from = source.imports.get(name);
  return from === undefined ? null : lookUp(from.name, sourceOf(from.file), among);
}

const constantsOf = ({ constants }: Source) => constants;
const functionsOf = ({ functions }: Source) => functions;
const typesOf = ({ types }: Source) => types;

/** Returns the properties of a row type. */
function membersOf(type: TypeNode, source: Source): Map<string, Set<Kind>> {
  if (type.type === 'TSIntersectionType') return new Map(type.types.flatMap((one) => [...membersOf(one, source)]));
  if (type.type === 'TSTypeLiteral') return new Map(type.members.map((member) => memberOf(member, source)));
  if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const [inner, names] = type.typeArguments?.params ?? [];
    const isPick = type.typeName.name === 'Pick';
    if ((isPick || type.typeName.name === 'Omit') && inner && names) {
      const chosen = new Set((names.type === 'TSUnionType' ? names.types : [names]).map(literalOf));
      return new Map([...membersOf(inner, source)].filter(([name]) => chosen.has(name) === isPick));
    }
    const found = lookUp(type.typeName.name, source, typesOf);
    if (found?.node.type === 'TSTypeAliasDeclaration') return membersOf(found.node.typeAnnotation, found.source);
    if (found?.node.type === 'TSInterfaceDeclaration') return membersOfInterface(found.node, found.source);
  }
  throw new UnreadableError(`cannot tell the columns of \`${source.text.slice(type.start, type.end)}\``);
}

function membersOfInterface(node: ESTree.TSInterfaceDeclaration, source: Source): Map<string, Set<Kind>> {
  const inherited = node.extends.flatMap(({ expression }) => {
    const found = expression.type === 'Identifier' ? lookUp(expression.name, source, typesOf) : null;
    return found?.node.type === 'TSInterfaceDeclaration' ? [...membersOfInterface(found.node, found.source)] : [];
  });
  return new Map([...inherited, ...node.body.body.map((member) => memberOf(member, source))]);
}

function memberOf(member: ESTree.TSSignature, source: Source): [string, Set<Kind>] {
  if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || member.typeAnnotation === null) {
    throw new UnreadableError(`cannot tell what \`${source.text.slice(member.start, member.end)}\` is`);
  }
  return [member.key.name, new Set(kindsOf(member.typeAnnotation.typeAnnotation, source))];
}

function literalOf(type: TypeNode): unknown {
  return type.type === 'TSLiteralType' && type.literal.type === 'Literal' ? type.literal.value : null;
}

const KEYWORDS: Partial<Record<TypeNode['type'], Kind>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
  TSUnknownKeyword: 'any',
  TSObjectKeyword: 'json',
  TSTypeLiteral: 'json',
  TSArrayType: 'array',
  TSTupleType: 'array',
};

const CLASSES: Record<string, Kind> = { Date: 'Date', Buffer: 'bytes', Uint8Array: 'bytes' };

function kindsOf(type: TypeNode, source: Source): Kind[] {
  const keyword = KEYWORDS[type.type];
  if (keyword !== undefined) return [keyword];
  switch (type.type) {
    case 'TSLiteralType':
      return kindsOfLiteral(literalOf(type));
    case 'TSUnionType':
      return type.types.flatMap((one) => kindsOf(one, source));
    case 'TSTypeOperator':
      return type.operator === 'keyof' ? ['string'] : kindsOf(type.typeAnnotation, source);
    case 'TSTypeReference': {
      const name = type.typeName.type === 'Identifier' ? type.typeName.name : '';
      const found = lookUp(name, source, typesOf);
      if (found?.node.type === 'TSTypeAliasDeclaration') return kindsOf(found.node.typeAnnotation, found.source);
      // Objects of ours and of packages alike.
      return [CLASSES[name] ?? 'json'];
    }
  }
  throw new UnreadableError(`cannot tell what \`${source.text.slice(type.start, type.end)}\` is`);
}

function kindsOfLiteral(value: unknown): Kind[] {
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? [kind] : ['any'];
}
