import { clsx } from 'clsx';
import { useMemo } from 'react';
import { type Piece, shortened, textDifference } from './lib/text-difference.ts';

interface TextDifferenceProps {
  before: string;
  after: string;
  /** Short labels above the two texts. */
  labels: readonly [before: string, after: string];
}

/** Two versions of a text side by side, stacked on phones, with differences highlighted. */
export function TextDifference({ before, after, labels }: TextDifferenceProps) {
  const pieces = useMemo(() => textDifference(before, after), [before, after]);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextBox label={labels[0]} pieces={shortened(pieces.before)} tone="bg-danger-soft" />
      <TextBox label={labels[1]} pieces={shortened(pieces.after)} tone="bg-accent-soft" />
    </div>
  );
}

interface TextBoxProps {
  label: string;
  pieces: readonly Piece[];
  /** Background of differences. */
  tone?: string;
}

/** Preformatted text that scrolls if it is long. */
export function TextBox({ label, pieces, tone }: TextBoxProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1">
      <p className="font-mono text-label text-muted">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        className="max-h-64 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-sans text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {pieces.length === 0 && <span className="text-muted">(empty)</span>}
        {pieces.map(({ text, isChanged }, index) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity except their position
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
