/**
 * Reads an error of the authentication service from the URL fragment. Email links and provider redirects put it there.
 * Removes it from the URL, so that a reload does not show it again.
 * @returns a message for the user, or null
 */
export function consumeRedirectError(): string | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  if (!fragment.has('error')) return null;
  const url = new URL(window.location.href);
  url.hash = '';
  for (const name of ['error', 'error_code', 'error_description']) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', url);
  return fragment.get('error_description') || 'The provider did not sign you in.';
}
