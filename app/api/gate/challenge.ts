/** Challenge with which the browser checks the passcode. The server adds it to the head of every page. */
import { createIsomorphicFn } from '@tanstack/react-start';
import { type GateChallenge, requireSiteHost } from '../host/site-host.ts';

const META = 'gate-challenge';

/** Returns the challenge, or null if the gate is off. */
export const gateChallenge = createIsomorphicFn()
  .server((): GateChallenge | null => requireSiteHost().gate)
  .client((): GateChallenge | null => {
    const content = document.querySelector<HTMLMetaElement>(`meta[name="${META}"]`)?.content;
    return content ? JSON.parse(content) : null;
  });

/** Returns the meta tags for the challenge and `noindex`. Returns an empty list if the gate is off. */
export function gateMetaTags(): { name: string; content: string }[] {
  const challenge = gateChallenge();
  if (!challenge) return [];
  return [
    { name: META, content: JSON.stringify(challenge) },
    { name: 'robots', content: 'noindex' },
  ];
}
