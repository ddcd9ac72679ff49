import { ExternalLink } from 'lucide-react';
import { DocumentHistory, DocumentPresence } from '../../editing/document-form.tsx';
import { ItemPreview } from '../../editing/previews/item-preview.tsx';
import { DeleteInRelease } from '../../editing/releases/save-to-release.tsx';
import { buttonClass, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { toListItem } from '../editing.ts';
import type { ContentKind, ContentRow } from '../kind.ts';

interface ItemActionsProps {
  kind: ContentKind;
  item: ContentRow;
}

/** Actions beside the form's title. */
export function ItemActions({ kind, item }: ItemActionsProps) {
  const { publicPath } = toListItem(kind, item);
  return (
    <div data-compact className="flex flex-wrap items-center justify-end gap-2">
      <DocumentPresence />
      {publicPath && (
        <a
          href={publicPath}
          target="_blank"
          rel="noopener"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
        >
          <ExternalLink aria-hidden="true" />
          <span className={COMPACT_LABEL_CLASS}>View {kind.singular}</span>
        </a>
      )}
      <ItemPreview kind={kind.table} id={item.id} />
      <DocumentHistory />
      <DeleteInRelease
        singular={kind.singular}
        change={{ kind: kind.table, itemId: item.id, action: 'delete', data: null, base: item }}
      />
    </div>
  );
}
