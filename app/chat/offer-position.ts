import type { ChatMessage } from './chat.ts';

/**
 * Returns the position of the reply below which an offer is shown. Each offer is shown once per conversation: below the
 * last reply to a request for the offer, or else below the first reply that links to it. A reply to a request has the
 * link in its first paragraph. Other replies have it at the end.
 *
 * @param isRequested returns whether the reply at a position responds to another kind of request
 * @returns -1 if there is no offer
 */
export function offerPosition(
  messages: readonly Pick<ChatMessage, 'role' | 'content'>[],
  link: string,
  isRequested: (index: number) => boolean = () => false,
): number {
  const lastRequested = messages.findLastIndex(
    ({ role, content }, index) =>
      role === 'assistant' &&
      (content
        .trim()
        .split(/\n\s*\n/, 1)[0]
        ?.includes(link) ||
        isRequested(index)),
  );
  if (lastRequested >= 0) return lastRequested;
  return messages.findIndex(({ role, content }) => role === 'assistant' && content.includes(link));
}
