/**
 * Takes a refusal of the authentication service out of the #fragment of the address, where a link in a mail or the way
 * back from a provider has put it, so that a reload does not tell it again.
 * @returns a sentence for the person, or null
 */
export function takeRedirectRefusal(): string | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  if (!fragment.has('error')) return null;
  const url = new URL(window.location.href);
  url.hash = '';
  for (const name of ['error', 'error_code', 'error_description']) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', url);
  return fragment.get('error_description') || 'You were not signed in there.';
}
