/** Typed version of Object.keys(). */
export function keysOf<Key extends string>(record: { readonly [Name in Key]?: unknown }): Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}

/** Builds a record with a value per key. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  makeValue: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, makeValue(key)])) as Record<Key, Value>;
}
