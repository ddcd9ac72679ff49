import type { ChatMessage } from './chat.ts';

/**
 * Returns the position of the reply that an offer is shown below, once per conversation: the last reply to a request
 * for it, otherwise the first one that mentions it. Replies to a request have the link in the first paragraph, others
 * at the end.
 *
 * @param isAsked tells whether the reply at a position was requested in another way
 * @returns -1 without an offer
 */
export function offerPosition(
  messages: readonly ChatMessage[],
  link: string,
  isAsked: (place: number) => boolean = () => false,
): number {
  const asked = messages.findLastIndex(
    ({ role, content }, place) =>
      role === 'assistant' &&
      (content
        .trim()
        .split(/\n\s*\n/, 1)[0]
        ?.includes(link) ||
        isAsked(place)),
  );
  if (asked >= 0) return asked;
  return messages.findIndex(({ role, content }) => role === 'assistant' && content.includes(link));
}
