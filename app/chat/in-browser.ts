/** Stands in the script of the framed chat for @tanstack/react-start, of which it needs this alone. */
export function createIsomorphicFn() {
  return { server: () => ({ client: <Work>(work: Work): Work => work }) };
}
