import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { isDuplicateSlug } from '../../api/error-code.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { SaveError } from '../../ui/form/save-error.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type NewChange, openReleasesQuery, pendingChangesQuery, saveToReleaseMutation } from './releases.ts';

export interface ReleaseDialogProps {
  /** Singular noun for messages: 'post', 'section', 'setting'. */
  singular: string;
  change: NewChange;
  onClose: () => void;
  onSaved: () => void;
  /** Called with a field error if another item uses the slug. */
  onSlugTaken?: (message: string) => void;
}

const NEW = 'new';

const schema = z
  .object({ release: z.string(), name: z.string().trim().max(120, 'Name must be at most 120 characters') })
  .refine(({ release, name }) => release !== NEW || name !== '', { path: ['name'], error: 'Name is required' });

/** Asks which release to save a change to, or for the name of a new release. */
export default function ReleaseDialog(props: ReleaseDialogProps) {
  const { singular, change, onClose } = props;
  const releases = useQuery(openReleasesQuery);
  const pending = useQuery(pendingChangesQuery(change.kind));
  const error = releases.error ?? pending.error;
  const formId = useId();
  const save = useSave(props);
  useSaveShortcut(formId);
  const isReady = releases.data !== undefined && pending.data !== undefined && !error;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={change.action === 'delete' ? `Delete the ${singular} in a release` : 'Save to a release'}
      description="The change is published with the release. Until then, the site does not change."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={save.isPending} disabled={!isReady}>
            {change.action === 'delete' ? 'Add to release' : 'Save to release'}
          </Button>
        </>
      }
    >
      {error && <LoadError error={error} onRetry={() => void Promise.all([releases.refetch(), pending.refetch()])} />}
      {!isReady && !error && <Skeleton className="h-20" />}
      {isReady && <SaveForm {...props} formId={formId} releases={releases.data} pending={pending.data} save={save} />}
    </Dialog>
  );
}

/** Binds Ctrl+S and Cmd+S to the dialog. Otherwise they would save the form behind it to the site. */
function useSaveShortcut(formId: string): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      const form = document.getElementById(formId);
      if (form instanceof HTMLFormElement) form.requestSubmit();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [formId]);
}

function useSave({ change, singular, onSlugTaken }: ReleaseDialogProps) {
  return useMutationWithToasts(saveToReleaseMutation, {
    success: ['Saved to the release', 'The site changes when the release is published.'],
    failure: (error) => {
      if (onSlugTaken && isDuplicateSlug(error)) {
        onSlugTaken(`Another ${singular} already has this slug.`);
        return null;
      }
      return change.action === 'delete' ? 'Could not add to the release' : 'Could not save to the release';
    },
  });
}

interface SaveFormProps extends ReleaseDialogProps {
  formId: string;
  releases: { id: string; name: string; publish_at: string | null }[];
  pending: { item_id: string; changed_at: string; release: { id: string } }[];
  save: ReturnType<typeof useSave>;
}

function SaveForm({ singular, change, onSaved, formId, releases, pending, save }: SaveFormProps) {
  const { register, handleSubmit, watch, formState } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { release: releases[0]?.id ?? NEW, name: '' },
  });
  const selected = watch('release');
  const existing = pending.find(({ item_id, release }) => item_id === change.itemId && release.id === selected);
  const submit = handleSubmit(({ release, name }) => {
    if (save.isPending) return;
    save.mutate(
      { ...change, release: release === NEW ? { name } : { id: release }, expectedChangedAt: existing?.changed_at },
      { onSuccess: onSaved },
    );
  }, showFirstError);
  return (
    <Form
      id={formId}
      onSubmit={(event) => {
        // The dialog is inside the item's form, which must not be submitted.
        event.stopPropagation();
        return submit(event);
      }}
      className="grid grid-cols-1 gap-5 pt-1"
    >
      <SaveError error={save.error} />
      <Field label="Release">
        <Select data-initial-focus {...register('release')}>
          {releases.map(({ id, name, publish_at }) => (
            <option key={id} value={id}>
              {publish_at ? `${name} (planned for ${formatTime(publish_at)})` : name}
            </option>
          ))}
          <option value={NEW}>A new release</option>
        </Select>
      </Field>
      {selected === NEW && (
        <Field
          label="Name"
          {...requiredMark(true)}
          help="For example “Spring launch”. Only your team sees it."
          error={formState.errors.name?.message}
        >
          <Input autoComplete="off" {...register('name')} />
        </Field>
      )}
      <div role="status" className="empty:hidden">
        {existing && (
          <p className="rounded-md bg-warning-soft px-4 py-3 text-[0.9375rem]">
            This release already contains a change to this {singular}, saved {formatTime(existing.changed_at)}. Saving
            replaces it.
          </p>
        )}
      </div>
    </Form>
  );
}
