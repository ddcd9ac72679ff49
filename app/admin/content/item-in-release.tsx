import { clsx } from 'clsx';
import { itemDocument } from '../../content/editing.ts';
import { titleCased } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import { FORM_WIDTH_CLASS } from '../../form/form-columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { ChangeForm } from '../document/change-form.tsx';
import { EditedChange } from '../document/edited-change.tsx';

/** The form of an item as it will be, of whichever kind. */
export function ItemInRelease({ releaseId, changeId }: { releaseId: string; changeId: string }) {
  return (
    <div className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-6')}>
      <EditedChange releaseId={releaseId} where={{ id: changeId }}>
        {(change, release) => {
          const kind = KINDS.find(({ table }) => table === change.kind);
          if (!kind) return <EmptyState title="No such kind of content" />;
          const { Fields } = kind;
          return (
            <>
              <ScreenHeader title={`${change.action === 'create' ? 'New' : 'Edit'} ${titleCased(kind.one)}`} />
              <ChangeForm change={change} release={release} document={itemDocument(kind, change.item_id)}>
                <Fields />
              </ChangeForm>
            </>
          );
        }}
      </EditedChange>
    </div>
  );
}
