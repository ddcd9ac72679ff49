/** Returns `name`, with a number appended if another factor uses it. */
export function unusedName(name: string, takenNames: string[]): string {
  let candidate = name;
  for (let count = 2; takenNames.includes(candidate); count++) candidate = `${name} ${count}`;
  return candidate;
}
