/** Approvals opened through an email link, without a session. */
import { mutationOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';
import { browserSecret } from '../browser-secret.ts';
import type { LinkedVersion } from './linked-version.ts';

/** Opens the link and binds it to this browser. Returns the version, or the reason why it cannot be shown. */
export const openLinkMutation = mutationOptions({
  mutationFn: async (token: string): Promise<LinkedVersion | { refusal: string }> => {
    const api = await publicApi();
    const { data } = await api.rpc('open_approval_link', { _token: token, _holder: browserSecret() }).throwOnError();
    return (await import('./linked-version.ts')).readLinkedVersion(data);
  },
});

type LinkVerdict = 'yes' | 'changes' | 'no';

interface LinkDecision {
  token: string;
  verdict: LinkVerdict;
  comment: string;
  /** Edited text, for the verdict `changes`. */
  wording?: string;
}

/**
 * Submits the decision on the version. Each link accepts one decision.
 * @returns the reason for a failure, or null
 */
export const decideByLinkMutation = mutationOptions({
  mutationFn: async ({ token, verdict, comment, wording }: LinkDecision): Promise<string | null> => {
    const args = {
      _token: token,
      _holder: browserSecret(),
      _verdict: verdict,
      _comment: comment,
      ...(wording !== undefined && { _edited_text: wording }),
    };
    return (await (await publicApi()).rpc('decide_by_link', args).throwOnError()).data;
  },
});
