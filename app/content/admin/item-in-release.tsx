import { clsx } from 'clsx';
import { titleCased } from '../../api/places/kind-names.ts';
import { ChangeForm } from '../../editing/change-form.tsx';
import { EditedChange } from '../../editing/edited-change.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { itemDocument } from '../editing.ts';
import { KINDS } from '../kinds.ts';

/** Edit form for an item of any kind whose change is saved in a release. */
export function ItemInRelease({ releaseId, changeId }: { releaseId: string; changeId: string }) {
  return (
    <div className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-6')}>
      <EditedChange releaseId={releaseId} filter={{ id: changeId }}>
        {(change, release) => {
          const kind = KINDS.find(({ table }) => table === change.kind);
          if (!kind) return <EmptyState title="Kind of content not found" />;
          const { Fields } = kind;
          return (
            <>
              <ScreenHeader title={`${change.action === 'create' ? 'New' : 'Edit'} ${titleCased(kind.singular)}`} />
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
