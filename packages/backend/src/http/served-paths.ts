/**
 * Lists the paths that a Hono application answers, each once, without those that stand for everything below a folder.
 */
export function servedPaths({ routes }: { routes: readonly { path: string }[] }): string[] {
  return [...new Set(routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
}
