/** Lists the paths of a Hono application, except duplicates and wildcards. */
export function servedPaths({ routes }: { routes: readonly { path: string }[] }): string[] {
  return [...new Set(routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
}
