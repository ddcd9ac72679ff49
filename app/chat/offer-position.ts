import type { ChatMessage } from './chat.ts';

/**
 * The place of the reply that an offer stands below, so that a conversation has it once: the last one that was asked for
 * it, or the first one that mentions it. A reply that was asked for it has the link in its first paragraph; others add it
 * at their end.
 * @param isAsked tells of a reply, by its place, that it was asked for by other means
 * @returns -1 when there is none
 */
export function placeOfOffer(
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
