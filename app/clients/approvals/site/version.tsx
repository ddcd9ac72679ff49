import { useState } from 'react';
import { formatDate } from '../../../ui/lib/format-date.ts';
import { DashboardLink, Notice } from '../../link-notice.tsx';
import { CriteriaList } from '../criteria-list.tsx';
import type { LinkedVersion } from '../linked-version.ts';
import { MessageWithPrevious } from '../message-sheet.tsx';
import { DecideByLink } from './decide-by-link.tsx';
import { LinkedFile } from './linked-file.tsx';
import { LinkedRows } from './linked-rows.tsx';

/** Content of a linked version with the decision form. */
export default function Version({ token, version }: { token: string; version: LinkedVersion }) {
  const { state, kind, title, client, number, text, former_text, file, due_on } = version;
  const [isDecided, setDecided] = useState(false);
  const details = [`Version ${number}`, due_on && `by ${formatDate(due_on)}`].filter(Boolean).join(', ');
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="text-muted">{details}</p>
      {state !== 'open' && (
        <Notice>
          <p role="alert">{STATE_NOTICES[state]}</p>
          <DashboardLink />
        </Notice>
      )}
      {kind === 'text' && <MessageWithPrevious from={client} text={text} formerText={former_text} />}
      {kind === 'criteria' && <CriteriaList text={text} />}
      {kind !== 'text' && kind !== 'criteria' && (
        <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
      )}
      {kind === 'list' && <LinkedRows token={token} title={title} canVeto={state === 'open' && !isDecided} />}
      {file && <LinkedFile token={token} file={file} />}
      {state === 'open' && <DecideByLink token={token} version={version} onDecided={() => setDecided(true)} />}
    </div>
  );
}

const STATE_NOTICES = {
  newer: 'A newer version exists. Use the link in its email, or open your dashboard.',
  used: 'This link has already been used. See your dashboard for the result.',
  decided: 'This version has already been decided. See your dashboard for the result.',
};
