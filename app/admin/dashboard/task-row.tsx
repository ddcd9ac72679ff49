import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ROW_LINK } from './panel.tsx';
import type { Action, Task } from './pending-tasks.ts';

/**
 * Row of the task queue: a link, or buttons for a task that can be completed in place. Completing a task moves the
 * keyboard focus to the next row.
 */
export function TaskRow({ icon: Icon, text, detail, isFault, actions = [], key: _, to, ...link }: Task) {
  const row = useRef<HTMLLIElement>(null);
  const content = (
    <>
      <Icon aria-hidden="true" className={`size-4.5 shrink-0 ${isFault ? 'text-danger' : 'text-muted'}`} />
      <span className="flex min-w-0 grow flex-wrap gap-x-3 [overflow-wrap:anywhere]">
        <span className="font-medium">{text}</span>
        {detail && <span className="line-clamp-2 text-muted">{detail}</span>}
      </span>
    </>
  );
  return (
    <li ref={row} className="flex flex-wrap items-center">
      {to ? (
        <Link to={to} {...link} className={`${ROW_LINK} min-w-0 grow basis-80`}>
          {content}
          {actions.length === 0 && <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />}
        </Link>
      ) : (
        <p className="flex min-h-11 min-w-0 grow basis-80 items-center gap-x-4 px-5 py-2">{content}</p>
      )}
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2 px-5 pb-2.5 sm:pb-0 sm:pl-0 max-sm:pl-[3.375rem]">
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} about={text} onDone={() => focusNeighbour(row.current)} />
          ))}
        </div>
      )}
    </li>
  );
}

interface ActionButtonProps {
  action: Action;
  /** Accessible name of the row, for screen reader users who jump to the button. */
  about: string;
  onDone: () => void;
}

function ActionButton({ action, about, onDone }: ActionButtonProps) {
  const [isUnderWay, setUnderWay] = useState(false);
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={isUnderWay}
      aria-label={`${action.label}: ${about}`}
      onClick={() => {
        setUnderWay(true);
        action.run((isDone) => {
          setUnderWay(false);
          if (isDone) onDone();
        });
      }}
    >
      {action.label}
    </Button>
  );
}

const FOCUSABLE = 'a, button';

/** Focuses the next row. Falls back to the previous row, then to the heading of the list. */
function focusNeighbour(row: HTMLLIElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>(FOCUSABLE) ?? row?.closest('section')?.querySelector('h2');
  target?.focus();
}

/** Arrow keys move between the rows. */
export function moveBetweenRows(event: React.KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const rows = [...event.currentTarget.querySelectorAll(':scope li')];
  const target = row && rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>(FOCUSABLE);
  if (step === 0 || !target) return;
  event.preventDefault();
  target.focus();
}
