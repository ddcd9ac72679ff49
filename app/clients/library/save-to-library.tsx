import type { RefObject } from 'react';
import type { Approval } from '../approvals/approvals.ts';
import { parseMessage } from '../approvals/message.ts';
import type { Client } from '../clients.ts';
import { LibraryTextDialog } from './library-text-dialog.tsx';

interface SaveToLibraryProps {
  client: Pick<Client, 'id' | 'name'>;
  /** An approved text. */
  approval: Pick<Approval, 'id' | 'title' | 'text'>;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Saves an approved text of a client to the library, without the client's name. */
export function SaveToLibrary({ client, approval, focusAfter, onClose }: SaveToLibraryProps) {
  const { subject, body } = parseMessage(approval.text);
  return (
    <LibraryTextDialog
      title="Save to library"
      description={`Our whole team can use texts in the library for other clients. Remove everything that identifies ${client.name}.`}
      origin={{ clientId: client.id, approvalId: approval.id }}
      values={{ title: approval.title, subject, body, note: '' }}
      focusAfter={focusAfter}
      onClose={onClose}
    />
  );
}
