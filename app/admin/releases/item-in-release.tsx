import { clsx } from 'clsx';
import { formValues } from '../../content/editing.ts';
import { type ContentRow, titleCased } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import type { ReleaseChange } from '../../data/releases/releases.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { FORM_WIDTH_CLASS } from '../form/form-columns.tsx';
import { ChangeForm } from './change-form.tsx';
import { EditedChange } from './edited-change.tsx';

/** The form of an item as it will be, of whichever kind. */
export function ItemInRelease({ releaseId, changeId }: { releaseId: string; changeId: string }) {
  return (
    <div data-wide className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-6')}>
      <EditedChange releaseId={releaseId} where={{ id: changeId }}>
        {(change, release) => {
          const kind = KINDS.find(({ table }) => table === change.kind);
          if (!kind) return <EmptyState title="No such kind of content" />;
          const { Fields } = kind;
          return (
            <>
              <ScreenHeader title={`${change.action === 'create' ? 'New' : 'Edit'} ${titleCased(kind.one)}`} />
              <ChangeForm
                change={change}
                release={release}
                schema={kind.schema}
                values={formValues(kind, asContentRow(change))}
                toData={(checked) => ({ ...kind.toRow(checked) })}
              >
                <Fields />
              </ChangeForm>
            </>
          );
        }}
      </EditedChange>
    </div>
  );
}

function asContentRow({ data }: ReleaseChange): ContentRow {
  return data as ContentRow;
}
