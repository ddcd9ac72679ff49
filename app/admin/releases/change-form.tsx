import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useRef } from 'react';
import { type FieldValues, FormProvider, useForm } from 'react-hook-form';
import type { z } from 'zod';
import {
  type Release,
  type ReleaseChange,
  type StoredRow,
  saveToReleaseMutation,
} from '../../data/releases/releases.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/refusal-note.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { FormErrors } from '../form/form-errors.tsx';
import { FormSkeleton } from '../form/form-skeleton.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { UnsavedBar } from '../form/unsaved-bar.tsx';
import { oneOf } from '../history/thing-words.ts';
import { isSlugClash } from './slug-clash.ts';

interface ChangeFormProps {
  change: ReleaseChange;
  release: Release;
  schema: z.ZodObject;
  values: FieldValues;
  /** The columns that the checked form writes. */
  toData: (checked: FieldValues) => StoredRow;
  /** The fields. */
  children: ReactNode;
  /** Beside the form, such as a preview. */
  aside?: ReactNode;
}

/** The form of a change that waits in a release. It leads back to the release. */
export function ChangeForm({ change, release, schema, values, toData, children, aside }: ChangeFormProps) {
  const navigate = useNavigate();
  const form = useForm<FieldValues, unknown, FieldValues>({ resolver: zodResolver(schema), defaultValues: values });
  const saved = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const save = useMutationWithToasts(saveToReleaseMutation, {
    success: ['Saved to the release', 'Nothing changes on the site before it is published.'],
    failure: 'Error saving to the release',
  });
  const isOpen = release.published_at === null;
  useShortcut('s', () => {
    if (!save.isPending && isOpen) element.current?.requestSubmit();
  });

  const onSave = (checked: FieldValues) =>
    save.mutate(
      {
        kind: change.kind,
        itemId: change.item_id,
        action: change.action,
        data: toData(checked),
        base: change.base,
        release: { id: release.id },
        seen: change.changed_at,
      },
      {
        onSuccess: () => {
          saved.current = true;
          void navigate({ to: '/admin/releases/$id', params: { id: release.id } });
        },
        onError: (error) => {
          if (!isSlugClash(error)) return;
          const message = `Another ${oneOf(change.kind)} already has this slug.`;
          form.setError('slug', { message }, { shouldFocus: true });
        },
      },
    );
  return (
    <FormProvider {...form}>
      {!isOpen && (
        <RefusalNote title="Published already">
          {`The release “${release.name}” no longer changes. Change the ${oneOf(change.kind)} itself.`}
        </RefusalNote>
      )}
      <div className={aside ? 'grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]' : ''}>
        <form
          ref={element}
          noValidate
          onSubmit={(event) => void form.handleSubmit(onSave)(event)}
          className="grid grid-cols-1 gap-6"
        >
          <UnsavedBar place={`releases/${release.id}/${change.id}`} schema={schema} saved={saved} />
          <FormErrors error={isSlugClash(save.error) ? null : save.error} />
          <Suspense fallback={<FormSkeleton />}>
            {children}
            {/* At the left: toasts come up at the right. */}
            <div className="save-bar">
              <Button type="submit" loading={save.isPending} disabled={!isOpen} title="Ctrl+S or Cmd+S">
                Save to the release
              </Button>
              <ButtonLink to="/admin/releases/$id" params={{ id: release.id }} variant="secondary">
                Cancel
              </ButtonLink>
            </div>
          </Suspense>
        </form>
        {aside}
      </div>
      <LeaveGuard saved={saved} />
    </FormProvider>
  );
}
