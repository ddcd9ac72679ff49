/** Returns `name`, with a number appended if another factor uses it. */
export function unusedName(name: string, taken: string[]): string {
  let candidate = name;
  for (let count = 2; taken.includes(candidate); count++) candidate = `${name} ${count}`;
  return candidate;
}
