import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ROW_LINK } from './panel.tsx';
import type { Action, Task } from './pending-tasks.ts';

interface TaskRowProps extends Omit<Task, 'key'> {
  isDone?: boolean;
}

/**
 * Renders a task as a link, as buttons that complete it in place, or as both. Completing a task moves the focus to the
 * next row.
 */
export function TaskRow({ icon: Icon, text, detail, at, isFailure, isDone, actions = [], to, ...link }: TaskRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const content = (
    <>
      <Icon
        aria-hidden="true"
        className={clsx('size-4.5 shrink-0', isFailure ? 'text-danger' : isDone ? 'text-accent' : 'text-muted')}
      />
      <span className="grid min-w-0 grow grid-cols-1 [overflow-wrap:anywhere]">
        <span className={clsx('line-clamp-2 sm:line-clamp-1', isDone ? 'text-muted' : 'font-medium')}>{text}</span>
        {(detail || at) && (
          <span className="line-clamp-2 text-sm text-muted sm:line-clamp-1">
            <span>{detail}</span>
            {at && (
              <span>
                {' · '}
                <RelativeTime at={at} />
              </span>
            )}
          </span>
        )}
      </span>
    </>
  );
  return (
    <li ref={row} className="flex items-center">
      {to ? (
        <Link to={to} {...link} className={clsx(ROW_LINK, ROW)}>
          {content}
          {actions.length === 0 && !isDone && (
            <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
          )}
        </Link>
      ) : (
        <p className={clsx(ROW, 'flex min-h-14 items-center gap-x-4 px-5 py-1.5')}>{content}</p>
      )}
      {actions.length > 0 && (
        <div data-compact="" className="flex shrink-0 gap-2 pr-5">
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} task={text} onDone={() => focusAdjacentRow(row.current)} />
          ))}
        </div>
      )}
    </li>
  );
}

const ROW = 'min-w-0 flex-1';

interface ActionButtonProps {
  action: Action;
  /** Text of the row, which completes the accessible name of the button. */
  task: string;
  onDone: () => void;
}

function ActionButton({ action, task, onDone }: ActionButtonProps) {
  const [isPending, setPending] = useState(false);
  return (
    <Button
      variant="secondary"
      size="sm"
      className="max-sm:size-11"
      icon={action.icon}
      loading={isPending}
      aria-label={`${action.label}: ${task}`}
      onClick={() => {
        setPending(true);
        action.run((isDone) => {
          setPending(false);
          if (isDone) onDone();
        });
      }}
    >
      <span className={COMPACT_LABEL_CLASS}>{action.label}</span>
    </Button>
  );
}

const FOCUSABLE = 'a, button';

/** Focuses the next row, or the previous row if the task was the last one, or the heading if the list is empty. */
function focusAdjacentRow(row: HTMLLIElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>(FOCUSABLE) ?? row?.closest('section')?.querySelector('h2');
  target?.focus();
}

/** Moves the focus between the rows with the arrow keys. */
export function moveBetweenRows(event: React.KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const rows = [...event.currentTarget.querySelectorAll(':scope li')];
  const target = row && rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>(FOCUSABLE);
  if (step === 0 || !target) return;
  event.preventDefault();
  target.focus();
}
