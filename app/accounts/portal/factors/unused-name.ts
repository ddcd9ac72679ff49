/** Returns `name`, with a number appended if another factor uses it. */
export function unusedName(name: string, taken: string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
