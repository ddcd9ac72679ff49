import type { Field, JsonStep } from './query-types.ts';
import type { Scanner } from './scanner.ts';

const INDEX = /-?\d+(?=->|::|[.,)]|$)/y;

/** Parses a column name with an optional JSON path, such as `data->a->>0`. */
export function parseField(scanner: Scanner): Field {
  scanner.skipBlanks();
  const field = { name: scanner.name(), path: parseJsonPath(scanner) };
  scanner.skipBlanks();
  return field;
}

export function parseJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  for (;;) {
    const arrow = scanner.consume('->>') ? '->>' : scanner.consume('->') ? '->' : null;
    if (arrow === null) return path;
    const index = scanner.match(INDEX)?.[0];
    path.push({ arrow, operand: index === undefined ? { key: scanner.name() } : { index: Number(index) } });
  }
}

/** Returns whether the field is `*`. */
export function isWholeRow({ name, path }: Field): boolean {
  return name === '*' && path.length === 0;
}
