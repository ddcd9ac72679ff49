/** One version of a text, a list or a file behind the link in a mail, for an approver without a session. */
import { mutationOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';
import type { LinkedVersion } from './linked-version.ts';

const PLACE = 'approval_link_holder';

let held: string | undefined;

/** Returns the secret that this browser shows a link with: kept in it, or for as long as the page where nothing is kept. */
export function holder(): string {
  try {
    held = localStorage.getItem(PLACE) ?? held;
    held ??= newSecret();
    localStorage.setItem(PLACE, held);
  } catch {
    held ??= newSecret();
  }
  return held;
}

function newSecret(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(32))];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Shows the version to this browser, and from then on to no other; or says why there is none. */
export const openLinkMutation = mutationOptions({
  mutationFn: async (token: string): Promise<LinkedVersion | { refusal: string }> => {
    const api = await publicApi();
    const { data } = await api.rpc('open_approval_link', { _token: token, _holder: holder() }).throwOnError();
    return (await import('./linked-version.ts')).readLinkedVersion(data);
  },
});

type LinkVerdict = 'yes' | 'changes' | 'no';

interface LinkDecision {
  token: string;
  verdict: LinkVerdict;
  comment: string;
  /** The text as the person approves it, with the verdict `changes`. */
  wording?: string;
}

/** Decides on the version. A link decides once. @returns why it did not, or null */
export const decideByLinkMutation = mutationOptions({
  mutationFn: async ({ token, verdict, comment, wording }: LinkDecision): Promise<string | null> => {
    const given = {
      _token: token,
      _holder: holder(),
      _verdict: verdict,
      _comment: comment,
      ...(wording !== undefined && { _wording: wording }),
    };
    return (await (await publicApi()).rpc('decide_by_link', given).throwOnError()).data;
  },
});
