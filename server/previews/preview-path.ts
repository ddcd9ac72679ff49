/** Address at which links open, and with which every address inside a preview begins. */
export const PREVIEW_PATH = /^\/preview(?=[/?]|$)/;

const INSIDE = /^(\/preview\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))(?=[/?]|$)(.*)$/;

/**
 * Returns the parts of an address inside a preview, and of the address outside that it stands for; null for any other.
 */
export function readPreviewPath(url: string): { base: string; id: string; inside: string } | null {
  const [, base, id, rest = ''] = INSIDE.exec(url) ?? [];
  if (!base || !id) return null;
  return { base, id, inside: rest.startsWith('/') ? rest : `/${rest}` };
}
