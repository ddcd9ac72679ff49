import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';

const ItemPreviewDialog = lazy(() => import('./item-preview-dialog.tsx'));

/** Opens the preview link dialog of an item, which may be unpublished. */
export function ItemPreview({ kind, id }: { kind: string; id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onPointerEnter={ItemPreviewDialog.preload} onClick={() => setOpen(true)}>
        <Eye aria-hidden="true" />
        <span className={COMPACT_LABEL_CLASS}>Preview link</span>
      </Button>
      {isOpen && <ItemPreviewDialog kind={kind} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}
