/** Returns the keys of a record with their type, which Object.keys() forgets. */
export function keysOf<Key extends string>(record: { readonly [Name in Key]?: unknown }): Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}

/** Returns a record with a value for each of the keys. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  makeValue: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, makeValue(key)])) as Record<Key, Value>;
}
