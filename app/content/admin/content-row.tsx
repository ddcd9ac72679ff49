import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Copy, ExternalLink, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { EditingBadge } from '../../editing/presence-indicator.tsx';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { formatDayOf } from '../../ui/lib/format-date.ts';
import { UserError } from '../../ui/lib/user-error.ts';
import { readListSearch } from '../../ui/list/list-search.ts';
import { showError } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ListItem, publishMutation, updateMutation } from '../editing.ts';
import type { ContentKind } from '../kind.ts';
import { ACTIONS_CLASS, COLUMNS_CLASS, columnWidths } from './list-columns.ts';
import { MatchExcerpt, MatchedText } from './matched-text.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface ContentRowProps {
  kind: ContentKind;
  item: ListItem;
  /** Drag handle, if the order can be changed. */
  handle: ReactNode;
  /** Names of other people who have the form open. */
  editors?: readonly string[] | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onDelete: () => void;
}

/** Row of an item. Clicking outside its buttons opens the form. */
export function ContentRow({ kind, item, handle, editors, isSelected, onSelect, onDelete }: ContentRowProps) {
  const { title, thumbnail, match } = item;
  const row = useRef<HTMLDivElement>(null);
  useFocusOnNeighbour(row);
  return (
    <div
      ref={row}
      className={clsx(
        'relative grid min-h-[3.1875rem] grid-cols-[2.25rem_auto_minmax(0,1fr)_2.75rem] items-center gap-x-1 rounded-[inherit] py-2 pr-1.5 pl-1.5 hover:bg-sunken',
        handle
          ? "[grid-template-areas:'select_title_title_title'_'._details_details_details'_'._badge_actions_handle'_'._excerpt_excerpt_excerpt']"
          : "[grid-template-areas:'select_title_title_title'_'._details_details_details'_'._badge_actions_actions'_'._excerpt_excerpt_excerpt']",
        "@lg:grid-cols-[2.25rem_minmax(0,1fr)_auto_auto] @lg:[grid-template-areas:'select_title_actions_handle'_'._details_details_details'_'._excerpt_excerpt_excerpt']",
        '@4xl:grid-cols-[auto_2.25rem_auto_minmax(0,1fr)_auto_auto] @4xl:py-1',
        "@4xl:[grid-template-areas:'handle_select_thumbnail_title_details_actions'_'._._._excerpt_excerpt_excerpt']",
        isSelected && 'bg-accent-soft/50',
      )}
    >
      {handle && (
        <span className="self-center justify-self-end [grid-area:handle] @max-4xl:*:h-9 @max-4xl:*:w-11 @max-4xl:sm:*:w-9">
          {handle}
        </span>
      )}
      {/* Enlarged hit area, because a click beside the checkbox would open the form. */}
      <label className="relative z-1 grid size-9 cursor-pointer place-items-center [grid-area:select] @max-4xl:self-start">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
          className="size-4"
        />
      </label>
      {thumbnail && (
        <span className="mr-2 hidden [grid-area:thumbnail] @4xl:grid">
          <Thumbnail thumbnail={thumbnail} title={title} />
        </span>
      )}
      <div className="flex min-w-0 items-center gap-x-3 gap-y-1 [grid-area:title] @max-4xl:min-h-9 @max-4xl:flex-wrap @max-4xl:py-1">
        <h2 className="min-w-0 leading-snug font-medium text-wrap [overflow-wrap:anywhere] @max-4xl:pr-2">
          <Link
            to="/admin/$kind/$id/edit"
            params={{ kind: kind.path, id: item.id }}
            search={readListSearch}
            title={title}
            className="line-clamp-2 rounded-sm after:absolute after:inset-0 after:rounded-[inherit]"
          >
            {match ? <MatchedText text={title} words={match.words} /> : title}
          </Link>
        </h2>
        {editors && <EditingBadge names={editors} />}
      </div>
      <Columns item={item} />
      {match?.excerpt && (
        <div className="pt-0.5 pr-4 pb-1 [grid-area:excerpt]">
          <MatchExcerpt excerpt={match.excerpt} words={match.words} />
        </div>
      )}
      <RowActions kind={kind} item={item} onDelete={onDelete} />
    </div>
  );
}

/** Columns with the details and status of an item. */
function Columns({ item }: Pick<ContentRowProps, 'item'>) {
  const zone = useSiteZone();
  const columns = Object.entries(item.columns).map(([heading, value]) => {
    const text = typeof value === 'object' && value !== null ? formatDayOf(value.time, zone) : value;
    return [heading, text] as const;
  });
  return (
    <div
      style={columnWidths(columns.length)}
      className={clsx(
        COLUMNS_CLASS,
        'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 pr-2 text-sm text-muted [grid-area:details] @max-lg:contents',
      )}
    >
      {/* One line of text on phones, cells on wide screens. */}
      <span className="min-w-0 pr-2 leading-snug [grid-area:details] @max-lg:pb-0.5 @4xl:contents">
        {columns.map(([heading, value]) => (
          <span
            key={heading}
            title={value ?? undefined}
            className={clsx(
              'min-w-0 leading-snug [overflow-wrap:anywhere] @4xl:line-clamp-2',
              "@max-4xl:empty:hidden @max-4xl:not-empty:[:not(:empty)~&]:before:content-['_·_']",
            )}
          >
            {value && (
              <>
                <span className="sr-only">{heading}: </span>
                {value}
              </>
            )}
          </span>
        ))}
      </span>
      <Badge
        tone={item.isPublished && !item.isScheduled ? 'accent' : 'neutral'}
        className="shrink-0 justify-self-start @max-lg:[grid-area:badge] @max-4xl:order-first"
      >
        {item.isScheduled ? 'scheduled' : item.isPublished ? 'published' : 'draft'}
      </Badge>
    </div>
  );
}

/** Moves the focus to the next row if an item no longer matches the filter and its row unmounts. */
function useFocusOnNeighbour(content: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = content.current?.closest('li');
    return () => {
      if (!row?.contains(document.activeElement)) return;
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      const link = neighbour?.querySelector<HTMLElement>('a[href]');
      if (link) link.focus({ preventScroll: true });
      else focusHeading();
    };
  }, [content]);
}

function RowActions({ kind, item, onDelete }: Pick<ContentRowProps, 'kind' | 'item' | 'onDelete'>) {
  const { id, title, isPublished, publicPath } = item;
  const navigate = useNavigate();
  const toasts = { success: kind.toasts.updated, failure: kind.toasts.updateFailed };
  const publish = useMutationWithToasts(publishMutation(kind), {
    ...toasts,
    failure: (error) => (error instanceof UserError ? null : toasts.failure),
  });
  const unpublish = useMutationWithToasts(updateMutation(kind), toasts);
  const toggle = () => {
    if (isPublished) return unpublish.mutate({ id, values: { status: 'draft' } });
    publish.mutate(id, {
      // Required fields are missing. Open the form, which shows the errors.
      onError: (error) => {
        if (!(error instanceof UserError)) return;
        void navigate({
          to: '/admin/$kind/$id/edit',
          params: { kind: kind.path, id },
          search: (current) => ({ ...readListSearch(current), publish: true }),
        }).then(() => showError(toasts.failure, error));
      },
    });
  };
  const duplicate = () =>
    void navigate({
      to: '/admin/$kind/new',
      params: { kind: kind.path },
      search: (current) => ({ ...readListSearch(current), copy: id }),
    });

  return (
    <div
      className={clsx(ACTIONS_CLASS, 'relative z-1 flex items-center [grid-area:actions] @max-4xl:justify-self-end')}
    >
      <Link
        to="/admin/$kind/$id/edit"
        params={{ kind: kind.path, id }}
        search={readListSearch}
        aria-label={`Edit ${title}`}
        className={buttonClass({ variant: 'ghost', size: 'icon' }, 'sm:size-9!')}
      >
        <Pencil aria-hidden="true" />
      </Link>
      <Button variant="ghost" size="icon" className="sm:size-9!" aria-label={`Delete ${title}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </Button>
      <ActionsMenu className="sm:size-9!" aria-label={`More actions for ${title}`}>
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
      </ActionsMenu>
    </div>
  );
}
