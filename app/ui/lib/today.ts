/** Returns the start and end of the current local day, in ISO 8601. */
export function todayRange(): [from: string, to: string] {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return [from.toISOString(), to.toISOString()];
}
