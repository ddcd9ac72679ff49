import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChatMessage } from '../data/chat/chat.ts';
import { hasLeftAddress } from '../data/leads/leave-lead.ts';
import { siteSettingsQuery } from '../data/settings/site-settings.ts';
import { firstEmailIn } from '../lib/first-email.ts';
import { storedConversationId } from './conversation-id.ts';

/** The place that the assistant links to when it offers that a person writes. */
const PERSON_LINK = /\]\(\/contact#person\)/;

/** Tells whether a link of a reply means that a person writes. */
export function isPersonLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/contact' && link.hash === '#person';
}

export interface LeadOffer {
  /** Position of the message that the offer stands below. */
  position: number;
  /** The last address that the visitor wrote. */
  email: string;
  /** `declined` shows nothing until they follow a link to a person. Agreeing counts once for a conversation. */
  state: 'open' | 'declined' | 'taken';
  /** Number of times that they followed such a link, each of which leads into the card. */
  opened: number;
  take(): void;
  decline(): void;
  open(): void;
}

/**
 * Keeps the offer that a person writes, where the setting leads_from_chat is on: below a reply with the link to a
 * person, or below the exchange in which the visitor wrote an address. Null when there is none.
 */
export function useLeadOffer(messages: readonly ChatMessage[]): LeadOffer | null {
  const isOn = useQuery(siteSettingsQuery).data?.leads_from_chat === 'on';
  const position = isOn ? placeOfOffer(messages) : -1;
  const id = position < 0 ? null : storedConversationId();
  const [known, setKnown] = useState<{ id: string; state: LeadOffer['state'] } | null>(null);
  const [opened, setOpened] = useState(0);

  useEffect(() => {
    if (!id) return;
    let isGone = false;
    void hasLeftAddress(id)
      // The database takes no second one, so asking once too often does no harm.
      .catch(() => false)
      .then((isTaken) => !isGone && setKnown({ id, state: isTaken ? 'taken' : 'open' }));
    return () => {
      isGone = true;
    };
  }, [id]);

  if (!id || known?.id !== id) return null;
  return {
    position,
    email: messages.reduce((last, { role, content }) => (role === 'user' && firstEmailIn(content)) || last, ''),
    state: known.state,
    opened,
    take: () => setKnown({ id, state: 'taken' }),
    decline: () => setKnown({ id, state: 'declined' }),
    open() {
      if (known.state === 'declined') setKnown({ id, state: 'open' });
      setOpened(opened + 1);
    },
  };
}

/** Finds the last reply with the link, or the last reply to a message with an address; -1 when there is none. */
function placeOfOffer(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex(
    ({ role, content }, place) =>
      role === 'assistant' &&
      (PERSON_LINK.test(content) ||
        (messages[place - 1]?.role === 'user' && firstEmailIn(messages[place - 1]?.content ?? '') !== '')),
  );
}
