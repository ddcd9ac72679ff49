import { ExternalLink } from 'lucide-react';
import { listItem } from '../../content/editing.ts';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { buttonClass, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { DocumentHistory, DocumentSign } from '../document/document-form.tsx';
import { ItemPreview } from '../previews/item-preview.tsx';
import { DeleteInRelease } from '../releases/save-to-release.tsx';

interface ItemActionsProps {
  kind: ContentKind;
  item: ContentRow;
}

/** Offers the actions on an item beside changing it, next to the title of its form. */
export function ItemActions({ kind, item }: ItemActionsProps) {
  const { publicPath } = listItem(kind, item);
  return (
    <div data-compact className="flex flex-wrap items-center justify-end gap-2">
      <DocumentSign />
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
      <DocumentHistory />
      <DeleteInRelease
        one={kind.one}
        change={{ kind: kind.table, itemId: item.id, action: 'delete', data: null, base: item }}
      />
    </div>
  );
}
