import { zodResolver } from '@hookform/resolvers/zod';
import { clsx } from 'clsx';
import { Suspense, useEffect, useRef, useState } from 'react';
import { type FieldValues, FormProvider, useForm, useFormContext } from 'react-hook-form';
import { type ContentKind, type ContentRow, titleCased } from '../../content/kind.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { lazyPiece, PieceFailure } from '../../ui/lazy-piece.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { FORM_WIDTH_CLASS } from '../form/form-columns.tsx';
import { FormErrors } from '../form/form-errors.tsx';
import { FormSkeleton } from '../form/form-skeleton.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { UnsavedBar } from '../form/unsaved-bar.tsx';
import { readListSearch } from '../list/list-search.ts';
import { WaitingNote } from '../releases/waiting-note.tsx';
import type { ConflictDialogProps } from './conflict-dialog.tsx';
import { ItemActions } from './item-actions.tsx';
import { SaveItemToRelease } from './save-item-to-release.tsx';
import { useSaveItem } from './use-save-item.ts';

const ConflictDialog = lazyPiece<ConflictDialogProps>(() => import('./conflict-dialog.tsx'), { Failed: PieceFailure });

interface ContentFormProps {
  kind: ContentKind;
  /** The item as it was opened; without it the form creates one. */
  opened?: ContentRow;
  /** First values of the fields. */
  values: FieldValues;
  /** Shows at once what is missing. */
  isCheckedAtOnce?: boolean;
  /** Starts the form again with the item as somebody else left it. */
  onReload?: () => void;
}

/** The one form of all kinds of content. Typing renders nothing but the field itself. */
export function ContentForm({ kind, opened, values, isCheckedAtOnce, onReload }: ContentFormProps) {
  const form = useForm({ resolver: zodResolver(kind.schema), defaultValues: values });
  // Version that the text is based on: an older one for a person who goes on with what they wrote earlier.
  const [basis, setBasis] = useState(opened);
  const { save, mergeAndSave, saved, isSaving, refusal, conflict, setConflict } = useSaveItem({
    kind,
    form,
    onBasis: setBasis,
  });
  const element = useRef<HTMLFormElement>(null);
  useShortcut('s', () => {
    if (!isSaving) element.current?.requestSubmit();
  });
  const { Fields } = kind;
  return (
    <FormProvider {...form}>
      <div data-wide className="max-w-300">
        <form
          ref={element}
          noValidate
          onSubmit={(event) => void form.handleSubmit((checked) => save(checked, basis))(event)}
          className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-6')}
        >
          <ScreenHeader
            isBeside
            title={`${opened ? 'Edit' : 'New'} ${titleCased(kind.one)}`}
            page={opened ? `Edit ${kind.one}: ${opened[kind.titleColumn]}` : `New ${kind.one}`}
            action={opened && <ItemActions kind={kind} item={opened} />}
          />
          {opened && <WaitingNote kind={kind.table} itemId={opened.id} one={kind.one} />}
          <UnsavedBar
            place={`${kind.path}/${opened?.id ?? 'new'}`}
            schema={kind.schema}
            base={opened}
            saved={saved}
            onContinue={(base) => isRow(base) && setBasis(base)}
          />
          <FormErrors error={refusal} />
          <Suspense fallback={<FormSkeleton />}>
            <Fields />
            {isCheckedAtOnce && <CheckAtOnce />}
            {/* At the left: toasts come up at the right. */}
            <div data-compact className="save-bar">
              <Button type="submit" loading={isSaving} title="Ctrl+S or Cmd+S">
                {opened ? 'Update' : 'Create'}
              </Button>
              <ButtonLink to="/admin/$kind" params={{ kind: kind.path }} search={readListSearch} variant="secondary">
                Cancel
              </ButtonLink>
              <SaveItemToRelease kind={kind} basis={basis} saved={saved} />
            </div>
          </Suspense>
        </form>
      </div>
      <LeaveGuard saved={saved} />
      {conflict && (
        <ConflictDialog
          kind={kind}
          conflict={conflict}
          onKeepEditing={() => setConflict(null)}
          onReload={() => {
            saved.current = true;
            onReload?.();
          }}
          onSave={(takesTheirs) => {
            const { checked, merged } = conflict;
            if (merged) void mergeAndSave(checked, merged.opened, merged.current, takesTheirs);
          }}
          onSaveAsNew={() => {
            setConflict(null);
            void save(conflict.checked, undefined);
          }}
        />
      )}
    </FormProvider>
  );
}

/** Beside the fields, which load late: it checks when they are there, so that the first wrong one gets the focus. */
function CheckAtOnce() {
  const { trigger } = useFormContext();
  useEffect(() => void trigger(undefined, { shouldFocus: true }), [trigger]);
  return null;
}

function isRow(base: unknown): base is ContentRow {
  return typeof base === 'object' && base !== null && 'id' in base && 'status' in base && 'updated_at' in base;
}
