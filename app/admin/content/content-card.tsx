import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, ExternalLink, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type ListItem, NotPublishableError, publishMutation, updateMutation } from '../../content/editing.ts';
import type { ContentKind } from '../../content/kind.ts';
import { focusHeading } from '../../lib/focus-heading.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { readListSearch } from '../list/list-search.ts';
import { EditingBadge } from '../together/editing-sign.tsx';
import { MatchExcerpt, MatchedText } from './matched-text.tsx';

interface ContentCardProps {
  kind: ContentKind;
  item: ListItem;
  /** What the card is dragged by, where the order can be changed. */
  handle: ReactNode;
  /** Names of the others who have its form open. */
  editors?: readonly string[] | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onDelete: () => void;
}

export function ContentCard({ kind, item, handle, editors, isSelected, onSelect, onDelete }: ContentCardProps) {
  const { title, facts, avatar, isPublished, isScheduled, match } = item;
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = card.current?.closest('li');
    // An item that no longer fits the filter takes its card away, with the focus in it.
    return () => {
      if (!row?.contains(document.activeElement)) return;
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      const link = neighbour?.querySelector<HTMLElement>('a[href]');
      if (link) link.focus({ preventScroll: true });
      else focusHeading();
    };
  }, []);
  return (
    <div
      ref={card}
      className="flex items-center gap-2 rounded-lg border border-line bg-surface py-3 pr-2 pl-4 max-sm:flex-wrap"
    >
      {handle}
      <label className="-ml-2 grid size-9 shrink-0 cursor-pointer place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
          className="size-4 accent-accent"
        />
      </label>
      {avatar !== undefined && <Avatar name={title} src={avatar} className="size-10 rounded-full" />}
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5 px-1 max-sm:basis-3/5">
        <h2 className="leading-snug font-medium [overflow-wrap:anywhere]">
          <Link
            to="/admin/$kind/$id/edit"
            params={{ kind: kind.path, id: item.id }}
            search={readListSearch}
            className="line-clamp-2 rounded-sm decoration-line-strong underline-offset-4 hover:underline"
          >
            {match ? <MatchedText text={title} words={match.words} /> : title}
          </Link>
        </h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Badge tone={isPublished ? 'accent' : 'neutral'}>{isPublished ? 'published' : 'draft'}</Badge>
          {isScheduled && <Badge tone="neutral">Scheduled</Badge>}
          {editors && <EditingBadge names={editors} />}
          {facts.filter(Boolean).map((fact) => (
            <span key={fact} className="max-w-[min(18rem,100%)] truncate">
              {fact}
            </span>
          ))}
        </div>
        {match?.excerpt && <MatchExcerpt excerpt={match.excerpt} words={match.words} />}
      </div>
      <CardActions kind={kind} item={item} onDelete={onDelete} />
    </div>
  );
}

function CardActions({ kind, item, onDelete }: Pick<ContentCardProps, 'kind' | 'item' | 'onDelete'>) {
  const { id, title, isPublished, publicPath } = item;
  const navigate = useNavigate();
  const toasts = { success: kind.toasts.updated, failure: kind.toasts.updateFailed };
  const publish = useMutationWithToasts(publishMutation(kind), toasts);
  const unpublish = useMutationWithToasts(updateMutation(kind), toasts);
  const toggle = () => {
    if (isPublished) return unpublish.mutate({ id, values: { status: 'draft' } });
    publish.mutate(id, {
      // The form shows what is missing, each at its field.
      onError: (error) =>
        error instanceof NotPublishableError &&
        void navigate({
          to: '/admin/$kind/$id/edit',
          params: { kind: kind.path, id },
          search: (current) => ({ ...readListSearch(current), publish: true }),
        }),
    });
  };
  const duplicate = () =>
    void navigate({
      to: '/admin/$kind/new',
      params: { kind: kind.path },
      search: (current) => ({ ...readListSearch(current), copy: id }),
    });

  return (
    <div className="ml-auto flex items-center max-sm:-my-2">
      <Link
        to="/admin/$kind/$id/edit"
        params={{ kind: kind.path, id }}
        search={readListSearch}
        aria-label={`Edit ${title}`}
        className={buttonClass({ variant: 'ghost', size: 'icon' })}
      >
        <Pencil aria-hidden="true" />
      </Link>
      <Button variant="ghost" size="icon" aria-label={`Delete ${title}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </Button>
      <DropdownMenu
        trigger={
          <Button variant="ghost" size="icon" aria-label={`More actions for ${title}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <DropdownItem disabled={publish.isPending || unpublish.isPending} onSelect={toggle}>
          {isPublished ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {isPublished ? 'Unpublish' : 'Publish'}
        </DropdownItem>
        <DropdownItem onSelect={duplicate}>
          <Copy aria-hidden="true" />
          Duplicate
        </DropdownItem>
        {publicPath && (
          <DropdownItem asChild>
            <a href={publicPath} target="_blank" rel="noopener">
              <ExternalLink aria-hidden="true" />
              View on site
            </a>
          </DropdownItem>
        )}
      </DropdownMenu>
    </div>
  );
}
