import { useEffect, useState } from 'react';
import { hasLeftAddress } from '../leads/leave-lead.ts';
import { firstEmailIn } from '../ui/lib/first-email.ts';
import type { ChatMessage } from './chat.ts';
import { hasDeclined, rememberDecline, storedConversationId } from './conversation-id.ts';
import { placeOfOffer } from './offer-position.ts';

/** The place that the assistant links to when it offers that a person writes. */
const PERSON_LINK = '](/contact#person)';

/** Tells whether a link of a reply means that a person writes. */
export function isPersonLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/contact' && link.hash === '#person';
}

export interface LeadOffer {
  /** Position of the message that the offer stands below. */
  position: number;
  /** The last address that the visitor wrote. */
  email: string;
  /**
   * `folded` is a question in one line, `open` the card. `declined` shows nothing until they follow a link to a person.
   * Agreeing counts once for a conversation.
   */
  state: 'folded' | 'open' | 'declined' | 'taken';
  /** Number of times that they asked for the card, each of which leads into it. */
  opened: number;
  take(): void;
  decline(): void;
  open(): void;
}

/**
 * Keeps the offer that a person writes, where it is on: below a reply with the link to a person, or below the exchange
 * in which the visitor wrote an address. Null when there is none.
 */
export function useLeadOffer(messages: readonly ChatMessage[], isOn: boolean): LeadOffer | null {
  const position = isOn ? placeOfOffer(messages, PERSON_LINK, (place) => hasAddress(messages[place - 1])) : -1;
  const id = position < 0 ? null : storedConversationId();
  const [known, setKnown] = useState<{ id: string; state: LeadOffer['state'] } | null>(null);
  const [opened, setOpened] = useState(0);

  useEffect(() => {
    if (!id) return;
    let isGone = false;
    void hasLeftAddress(id)
      // The database takes no second one, so asking once too often does no harm.
      .catch(() => false)
      .then((isTaken) => {
        if (isGone) return;
        const state = isTaken ? 'taken' : hasDeclined(id) ? 'declined' : 'folded';
        // The visitor can have opened the card while the database answered.
        setKnown((now) => (now?.id === id && !isTaken ? now : { id, state }));
      });
    return () => {
      isGone = true;
    };
  }, [id]);

  // A visitor who declined can follow a link to a person before the database has answered.
  if (!id) return null;
  const state = known?.id === id ? known.state : hasDeclined(id) && 'declined';
  if (!state) return null;
  return {
    position,
    email: messages.reduce((last, { role, content }) => (role === 'user' && firstEmailIn(content)) || last, ''),
    state,
    opened,
    take: () => setKnown({ id, state: 'taken' }),
    decline() {
      rememberDecline(id);
      setKnown({ id, state: 'declined' });
    },
    open() {
      if (state !== 'taken') setKnown({ id, state: 'open' });
      setOpened(opened + 1);
    },
  };
}

function hasAddress(message: ChatMessage | undefined): boolean {
  return message?.role === 'user' && firstEmailIn(message.content) !== '';
}
