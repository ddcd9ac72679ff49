import { Pencil, Trash2 } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type AssistantCheck, findFaults } from '../assistant-checks.ts';

interface CheckCardProps {
  check: AssistantCheck;
  onEdit: () => void;
  onDelete: () => void;
}

export function CheckCard({ check, onEdit, onDelete }: CheckCardProps) {
  const { question, passed, answer, ran_at } = check;
  return (
    <article className="-mr-3 grid grid-cols-1 gap-3">
      <div className="flex items-start">
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-2">
          <h2 className="leading-snug font-medium [overflow-wrap:anywhere]">{question}</h2>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <Outcome passed={passed} />
            {ran_at && <RelativeTime at={ran_at} />}
          </div>
        </div>
        <Button variant="ghost" size="icon" className="-my-2.5" aria-label={`Edit ${question}`} onClick={onEdit}>
          <Pencil aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" className="-my-2.5" aria-label={`Delete ${question}`} onClick={onDelete}>
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
      <ExpectedPhrases check={check} />
      {ran_at && (
        <details className="pr-3">
          <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">The answer</summary>
          <div className="mt-2 rounded-md bg-sunken px-4 py-3 text-sm [overflow-wrap:anywhere]">
            <Markdown text={answer} images={false} topLevel={3} />
          </div>
        </details>
      )}
    </article>
  );
}

function Outcome({ passed }: Pick<AssistantCheck, 'passed'>) {
  if (passed === null) return <Badge>Not run yet</Badge>;
  return passed ? <Badge tone="accent">Right</Badge> : <Badge tone="danger">Wrong</Badge>;
}

/** Lists the required and forbidden phrases, and marks the phrases that made the check fail. */
function ExpectedPhrases({ check }: { check: AssistantCheck }) {
  const { must_name, must_not_name } = check;
  const { missing, forbidden } = findFaults(check);
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2 pr-3 text-sm sm:grid-cols-[auto_1fr]">
      <Phrases label="Must mention" phrases={must_name} faulty={missing} fault="is missing" />
      <Phrases label="Must not mention" phrases={must_not_name} faulty={forbidden} fault="is included" />
    </dl>
  );
}

interface PhrasesProps {
  label: string;
  phrases: string[];
  faulty: string[];
  fault: string;
}

function Phrases({ label, phrases, faulty, fault }: PhrasesProps) {
  if (phrases.length === 0) return null;
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {phrases.map((phrase) => (
            <li key={phrase} className="[overflow-wrap:anywhere]">
              “{phrase}”{faulty.includes(phrase) && <span className="font-medium text-danger"> {fault}</span>}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}
