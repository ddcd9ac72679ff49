import { clsx } from 'clsx';
import { useMemo } from 'react';
import { type Piece, shortened, textDifference } from './lib/text-difference.ts';

interface TextDifferenceProps {
  before: string;
  after: string;
  /** Above each of them, in a word or two. */
  labels: readonly [before: string, after: string];
  /** Shows all of both, also long runs in which they are the same. */
  isWhole?: boolean;
}

/** Two states of a text side by side, on phones one below the other, with what differs marked. */
export function TextDifference({ before, after, labels, isWhole = false }: TextDifferenceProps) {
  const pieces = useMemo(() => textDifference(before, after), [before, after]);
  const shown = isWhole ? (all: readonly Piece[]) => all : shortened;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextBox label={labels[0]} pieces={shown(pieces.before)} tone="bg-danger-soft" />
      <TextBox label={labels[1]} pieces={shown(pieces.after)} tone="bg-accent-soft" />
    </div>
  );
}

interface TextBoxProps {
  label: string;
  pieces: readonly Piece[];
  /** Behind what differs. */
  tone?: string;
}

/** A text as it is written, which is scrolled where it is long. */
export function TextBox({ label, pieces, tone }: TextBoxProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1">
      <p className="font-mono text-label text-muted">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer is scrolled, also with the keyboard
        tabIndex={0}
        className="max-h-64 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-sans text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {pieces.length === 0 && <span className="text-muted">(empty)</span>}
        {pieces.map(({ text, isChanged }, index) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
            <mark key={index} className={clsx('rounded-sm text-ink underline decoration-1 underline-offset-2', tone)}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </pre>
    </div>
  );
}
