import { useEffect, useState } from 'react';
import { hasLead } from '../leads/submit-lead.ts';
import { findFirstEmail } from '../ui/lib/first-email.ts';
import type { ChatMessage } from './chat.ts';
import { hasDeclined, rememberDecline, storedConversationId } from './conversation-id.ts';
import { offerPosition } from './offer-position.ts';

/** Markdown link with which the assistant offers contact by a person. */
const PERSON_LINK = '](/contact#person)';

/** Returns whether a link in a reply requests contact by a person. */
export function isPersonLink(link: URL): boolean {
  return link.origin === window.location.origin && link.pathname === '/contact' && link.hash === '#person';
}

export interface LeadOffer {
  /** Position of the message above the offer. */
  position: number;
  /** Last email address in the visitor's messages. */
  email: string;
  /**
   * `collapsed` shows a one-line question. `open` shows the form. `declined` is hidden until the visitor follows a link
   * to a person. `accepted` cannot change again in this conversation.
   */
  state: 'collapsed' | 'open' | 'declined' | 'accepted';
  /** Number of times that the visitor requested the form. Each request focuses it. */
  openCount: number;
  accept(): void;
  decline(): void;
  open(): void;
  /** Closes the form. Its input is kept. */
  collapse(): void;
}

/**
 * Offer to be contacted by a person. It is shown below a reply that links to this offer, or below the exchange in which
 * the visitor wrote an email address. Null if there is no offer.
 */
export function useLeadOffer(messages: readonly ChatMessage[], isEnabled: boolean): LeadOffer | null {
  const position = isEnabled ? offerPosition(messages, PERSON_LINK, (index) => hasEmail(messages[index - 1])) : -1;
  const id = position < 0 ? null : storedConversationId();
  const [stored, setStored] = useState<{ id: string; state: LeadOffer['state'] } | null>(null);
  const [openCount, setOpenCount] = useState(0);

  useEffect(() => {
    if (!id) return;
    let isStale = false;
    void hasLead(id)
      // Assume that there is no lead, because the database rejects a second one.
      .catch(() => false)
      .then((hasLead) => {
        if (isStale) return;
        const state = hasLead ? 'accepted' : hasDeclined(id) ? 'declined' : 'collapsed';
        // The visitor may have opened the form while the request was running.
        setStored((current) => (current?.id === id && !hasLead ? current : { id, state }));
      });
    return () => {
      isStale = true;
    };
  }, [id]);

  // Do not wait for the request, because a visitor who declined can still follow a link to a person.
  if (!id) return null;
  const state = stored?.id === id ? stored.state : hasDeclined(id) && 'declined';
  if (!state) return null;
  return {
    position,
    email: messages.reduce((last, { role, content }) => (role === 'user' && findFirstEmail(content)) || last, ''),
    state,
    openCount,
    accept: () => setStored({ id, state: 'accepted' }),
    decline() {
      rememberDecline(id);
      setStored({ id, state: 'declined' });
    },
    open() {
      if (state !== 'accepted') setStored({ id, state: 'open' });
      setOpenCount(openCount + 1);
    },
    collapse() {
      if (state === 'open') setStored({ id, state: 'collapsed' });
    },
  };
}

function hasEmail(message: ChatMessage | undefined): boolean {
  return message?.role === 'user' && findFirstEmail(message.content) !== '';
}
