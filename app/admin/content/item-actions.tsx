import { ExternalLink } from 'lucide-react';
import { listItem, restorableValues } from '../../content/editing.ts';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { buttonClass, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { EditingSign } from '../co-editing/editing-sign.tsx';
import { HistoryButton } from '../history/history-button.tsx';
import { ItemPreview } from '../previews/item-preview.tsx';
import { DeleteInRelease } from '../releases/save-to-release.tsx';

interface ItemActionsProps {
  kind: ContentKind;
  item: ContentRow;
}

/** Offers the acts on an item beside changing it, next to the title of its form. */
export function ItemActions({ kind, item }: ItemActionsProps) {
  const { publicPath } = listItem(kind, item);
  return (
    <div data-compact className="flex flex-wrap items-center justify-end gap-2">
      <EditingSign kind={kind.table} itemId={item.id} />
      {publicPath && (
        <a
          href={publicPath}
          target="_blank"
          rel="noopener"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          <ExternalLink aria-hidden="true" />
          <span className={COMPACT_LABEL_CLASS}>View {kind.one}</span>
        </a>
      )}
      <ItemPreview kind={kind.table} id={item.id} />
      <HistoryButton
        item={{ kind: kind.table, itemId: item.id }}
        schema={kind.schema}
        place={`${kind.path}/${item.id}`}
        base={item}
        valuesOf={(data) => restorableValues(kind, data)}
      />
      <DeleteInRelease
        one={kind.one}
        change={{ kind: kind.table, itemId: item.id, action: 'delete', data: null, base: item }}
      />
    </div>
  );
}
