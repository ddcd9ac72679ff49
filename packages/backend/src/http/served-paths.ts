/** Lists the paths of a Hono application without duplicates and wildcard paths. */
export function servedPaths({ routes }: { routes: readonly { path: string }[] }): string[] {
  return [...new Set(routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
}
