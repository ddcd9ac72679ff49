/** Path of preview links, and prefix of all paths inside a preview. */
export const PREVIEW_PATH = /^\/preview(?=[/?]|$)/;

const INSIDE = /^(\/preview\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))(?=[/?]|$)(.*)$/;

/** Splits a preview path into its prefix and the public path. Returns null for other paths. */
export function readPreviewPath(url: string): { base: string; id: string; inside: string } | null {
  const [, base, id, rest = ''] = INSIDE.exec(url) ?? [];
  if (!base || !id) return null;
  return { base, id, inside: rest.startsWith('/') ? rest : `/${rest}` };
}
