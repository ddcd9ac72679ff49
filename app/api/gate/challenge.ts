/** Challenge with which the browser checks the passcode. The server puts it into the head of every page. */
import { createIsomorphicFn } from '@tanstack/react-start';
import { type GateChallenge, requireSiteHost } from '../host/site-host.ts';

const META = 'gate-challenge';

/** The challenge, or null when the gate is off. */
export const gateChallenge = createIsomorphicFn()
  .server((): GateChallenge | null => requireSiteHost().gate)
  .client((): GateChallenge | null => {
    const content = document.querySelector<HTMLMetaElement>(`meta[name="${META}"]`)?.content;
    return content ? JSON.parse(content) : null;
  });

/** Returns the meta tags that carry the challenge and keep search engines out; none when the gate is off. */
export function gateMetaTags(): { name: string; content: string }[] {
  const challenge = gateChallenge();
  if (!challenge) return [];
  return [
    { name: META, content: JSON.stringify(challenge) },
    { name: 'robots', content: 'noindex' },
  ];
}
