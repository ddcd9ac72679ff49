import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, ExternalLink, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { updateMutation } from '../../data/editing.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DropdownItem, DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';
import { type AnyRow, type ContentScreen, capitalized, titleOf } from './screen.ts';

interface ContentCardProps {
  screen: ContentScreen;
  item: AnyRow;
  /** What the card is dragged by, where the order can be changed. */
  handle: ReactNode;
  onDelete: () => void;
}

export function ContentCard({ screen, item, handle, onDelete }: ContentCardProps) {
  const title = titleOf(screen, item);
  const { facts, avatar } = screen.card(item);
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-surface py-3 pr-2 pl-4 max-sm:flex-wrap">
      {handle}
      {avatar !== undefined && <Avatar name={title} src={avatar} className="size-10 rounded-full" />}
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5 px-1 max-sm:basis-3/5">
        <h2 className="leading-snug font-medium [overflow-wrap:anywhere]">
          <Link
            to="/admin/$kind/$id/edit"
            params={{ kind: screen.path, id: item.id }}
            className="line-clamp-2 rounded-sm decoration-line-strong underline-offset-4 hover:underline"
          >
            {title}
          </Link>
        </h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Badge tone={item.status === 'published' ? 'accent' : 'neutral'}>{item.status}</Badge>
          {facts.filter(Boolean).map((fact) => (
            <span key={fact} className="max-w-[min(18rem,100%)] truncate">
              {fact}
            </span>
          ))}
        </div>
      </div>
      <CardActions screen={screen} item={item} title={title} onDelete={onDelete} />
    </div>
  );
}

interface CardActionsProps extends Omit<ContentCardProps, 'handle'> {
  title: string;
}

function CardActions({ screen, item, title, onDelete }: CardActionsProps) {
  const navigate = useNavigate();
  const update = useMutation(updateMutation(screen.kind));
  const published = item.status === 'published';
  const { publicPath } = screen.card(item);

  const changeStatus = async () => {
    try {
      await update.mutateAsync({ id: item.id, values: { status: published ? 'draft' : 'published' } });
      toast.success(`${capitalized(screen.one)} updated successfully`);
    } catch (error) {
      toast.error(`Error updating ${screen.one}`, messageOf(error));
    }
  };
  const duplicate = () =>
    void navigate({ to: '/admin/$kind/new', params: { kind: screen.path }, search: { copy: item.id } });

  return (
    <div className="ml-auto flex items-center max-sm:-my-2">
      <Link
        to="/admin/$kind/$id/edit"
        params={{ kind: screen.path, id: item.id }}
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
        <DropdownItem disabled={update.isPending} onSelect={() => void changeStatus()}>
          {published ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {published ? 'Unpublish' : 'Publish'}
        </DropdownItem>
        <DropdownItem onSelect={duplicate}>
          <Copy aria-hidden="true" />
          Duplicate
        </DropdownItem>
        {published && publicPath && (
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
