import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { createMutation, EditConflictError, updateMutation } from '../../content/editing.ts';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { readListSearch } from '../list/list-search.ts';
import { changedByOthers } from './changed-by-others.ts';
import type { Conflict } from './conflict-dialog.tsx';

/** Saves what a form holds, then leads to the list; what stands in the way is for the form to show. */
export function useSaveItem(kind: ContentKind, form: UseFormReturn, opened: ContentRow | undefined) {
  const navigate = useNavigate();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const saved = useRef(false);
  const create = useMutationWithToasts(createMutation(kind), {
    success: kind.toasts.created,
    failure: kind.toasts.createFailed,
  });
  const update = useMutationWithToasts(updateMutation(kind), {
    success: kind.toasts.updated,
    failure: (error) => (error instanceof EditConflictError ? null : kind.toasts.updateFailed),
  });

  /** Saves over the version of `base`; without one, as a new item. */
  const save = async (checked: FieldValues, base: ContentRow | undefined): Promise<void> => {
    const row = kind.toRow(checked);
    try {
      if (base) await update.mutateAsync({ id: base.id, values: row, openedAt: base.updated_at });
      else await create.mutateAsync(row);
    } catch (error) {
      if (error instanceof EditConflictError) {
        const { current } = error;
        // Saved by somebody without a change: nothing to decide.
        if (opened && current && changedByOthers(opened, current, { ...row }).length === 0)
          return save(checked, current);
        return setConflict({ mine: { ...row }, current, checked });
      }
      if (isSlugClash(error)) {
        form.setError('slug', { message: `Another ${kind.one} already has this slug.` }, { shouldFocus: true });
      }
      return;
    }
    saved.current = true;
    await navigate({ to: '/admin/$kind', params: { kind: kind.path }, search: readListSearch });
  };
  return { save, saved, isSaving: create.isPending || update.isPending, conflict, setConflict };
}

function isSlugClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && error.message.includes('slug');
}
