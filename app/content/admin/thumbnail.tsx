import { Avatar } from '../../ui/avatar.tsx';
import { ContentIcon } from '../../ui/content-icon.tsx';
import { Cover } from '../../ui/cover.tsx';
import type { Thumbnail as ThumbnailSource } from '../kind.ts';

interface ThumbnailProps {
  thumbnail: ThumbnailSource;
  title: string;
}

/** Decorative picture before the title of a row. */
export function Thumbnail({ thumbnail, title }: ThumbnailProps) {
  switch (thumbnail.shape) {
    case 'person':
      return <Avatar name={title} src={thumbnail.src} pixels={36} className="size-9 rounded-full" />;
    case 'cover':
      return (
        <span className="h-9 w-14 overflow-hidden rounded-sm border border-line bg-sunken">
          <Cover src={thumbnail.src} subject={thumbnail.subject} sizes="56px" />
        </span>
      );
    case 'icon':
      return (
        <span className="grid size-9 place-items-center rounded-sm bg-accent-soft text-accent">
          <ContentIcon name={thumbnail.name} className="size-5" />
        </span>
      );
  }
}
