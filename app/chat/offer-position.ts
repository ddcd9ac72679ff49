import type { ChatMessage } from './chat.ts';

/**
 * Returns the position of the reply below which an offer is shown. Each offer is shown once per conversation. It is
 * shown below the last reply to a request for it, or else below the first reply that mentions it. A reply to a request
 * links to the offer in its first paragraph. Other replies link to it at the end.
 *
 * @param isAsked returns whether the reply at a position responds to another kind of request
 * @returns -1 without an offer
 */
export function offerPosition(
  messages: readonly Pick<ChatMessage, 'role' | 'content'>[],
  link: string,
  isAsked: (index: number) => boolean = () => false,
): number {
  const lastRequested = messages.findLastIndex(
    ({ role, content }, index) =>
      role === 'assistant' &&
      (content
        .trim()
        .split(/\n\s*\n/, 1)[0]
        ?.includes(link) ||
        isAsked(index)),
  );
  if (lastRequested >= 0) return lastRequested;
  return messages.findIndex(({ role, content }) => role === 'assistant' && content.includes(link));
}
