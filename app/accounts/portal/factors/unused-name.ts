/** Returns a name that no factor has yet: `name`, else `name` with a number. */
export function unusedName(name: string, taken: string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
