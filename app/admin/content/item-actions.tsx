import { listItem } from '../../content/editing.ts';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { buttonClass } from '../../ui/button.tsx';

interface ItemActionsProps {
  kind: ContentKind;
  item: ContentRow;
}

/** What can be done with an item beside changing it, next to the title of its form. */
export function ItemActions({ kind, item }: ItemActionsProps) {
  const { publicPath } = listItem(kind, item);
  return (
    <div className="flex flex-wrap gap-2">
      {publicPath && (
        <a
          href={publicPath}
          target="_blank"
          rel="noopener"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          View on site
        </a>
      )}
    </div>
  );
}
