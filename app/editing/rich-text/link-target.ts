import { safeHref } from '../../ui/lib/safe-href.ts';

/** Resolves the user's input to a URL. Returns null if it is not a URL. */
export function linkTarget(typed: string): string | null {
  const text = typed.trim();
  if (/^(https?:\/\/\S+|mailto:\S+|tel:\S+|\/\S*|#\S+)$/i.test(text))
    return text === 'https://' ? null : safeHref(text);
  if (/^[^\s@/]+@[^\s@/]+\.[a-z]{2,}$/i.test(text)) return `mailto:${text}`;
  return /^(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#:]\S*)?$/i.test(text) ? `https://${text}` : null;
}
