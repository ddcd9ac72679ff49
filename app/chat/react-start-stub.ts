/** Replaces @tanstack/react-start in the build of the embedded chat, which needs only this function. */
export function createIsomorphicFn() {
  return { server: () => ({ client: <Work>(work: Work): Work => work }) };
}
