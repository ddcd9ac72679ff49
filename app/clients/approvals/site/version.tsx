import { formatDate } from '../../../ui/lib/format-date.ts';
import { TextBox, TextDifference } from '../../../ui/text-difference.tsx';
import type { LinkedVersion } from '../linked-version.ts';
import { DecideByLink } from './decide-by-link.tsx';
import { LinkedFile } from './linked-file.tsx';
import { LinkedRows } from './linked-rows.tsx';
import { Notice, ToDashboard } from './notice.tsx';

/** The text of a version and what changed in it, its rows or its file, and the decision. */
export default function Version({ token, version }: { token: string; version: LinkedVersion }) {
  const { state, kind, title, number, text, former_text, file, due_on } = version;
  const facts = [`Version ${number}`, due_on && `by ${formatDate(due_on)}`].filter(Boolean).join(', ');
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      <p className="text-muted">{facts}</p>
      {state !== 'open' && (
        <Notice>
          <p role="alert">{ENDED[state]}</p>
          <ToDashboard />
        </Notice>
      )}
      {kind === 'list' && <LinkedRows token={token} title={title} canVeto={state === 'open'} />}
      {file && <LinkedFile token={token} file={file} />}
      {former_text === null ? (
        <TextBox label={kind === 'text' ? 'Text' : 'What we say of it'} pieces={[{ text, isChanged: false }]} />
      ) : (
        <TextDifference
          before={former_text}
          after={text}
          labels={[`Version ${number - 1}`, `Version ${number}, new`]}
          isWhole
        />
      )}
      {state === 'open' && <DecideByLink token={token} version={version} />}
    </div>
  );
}

const ENDED = {
  newer: 'There is a newer version. Its own mail has the link to it, and so has your dashboard.',
  used: 'This link was used. Your dashboard shows what came of it.',
  decided: 'This version is decided. Your dashboard shows what was said.',
};
