import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { createMutation, EditConflictError, savedValues, updateMutation } from '../../content/editing.ts';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { type MergePath, mergeThreeWay } from '../../lib/three-way-merge.ts';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { takenSentence } from '../co-editing/merge-words.ts';
import { readListSearch } from '../list/list-search.ts';
import type { Conflict } from './conflict-dialog.tsx';

interface SaveItemOptions {
  kind: ContentKind;
  form: UseFormReturn;
  /** Called with the version that the form is based on from now on. */
  onBasis: (basis: ContentRow) => void;
}

/**
 * Saves what a form holds, then leads to the list. Changes that somebody else saved meanwhile in other fields are kept;
 * the form shows conflicts, and everything else that stands in the way.
 */
export function useSaveItem({ kind, form, onBasis }: SaveItemOptions) {
  const navigate = useNavigate();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const saved = useRef(false);
  /** Changes of others in the save that runs. */
  const taken = useRef<readonly MergePath[]>([]);
  const create = useMutationWithToasts(createMutation(kind), {
    success: kind.toasts.created,
    failure: kind.toasts.createFailed,
  });
  const update = useMutationWithToasts(updateMutation(kind), {
    success: () => {
      const kept = takenSentence(taken.current);
      return kept ? [kind.toasts.updated, kept] : kind.toasts.updated;
    },
    failure: (error) => (error instanceof EditConflictError ? null : kind.toasts.updateFailed),
  });

  /** Saves over the version of `base`; without one, as a new item. */
  const save = async (checked: FieldValues, base: ContentRow | undefined): Promise<void> => {
    const row = kind.toRow(checked);
    try {
      if (base) await update.mutateAsync({ id: base.id, values: row, openedAt: base.updated_at });
      else await create.mutateAsync(row);
    } catch (error) {
      if (error instanceof EditConflictError && base) {
        if (error.current) return mergeAndSave(checked, base, error.current);
        setConflict({ checked, merged: null });
      }
      if (isSlugClash(error)) {
        form.setError('slug', { message: `Another ${kind.one} already has this slug.` }, { shouldFocus: true });
      }
      const unnamed = withoutAltText(error);
      if (unnamed) form.setError(unnamed.column, { message: unnamed.message }, { shouldFocus: true });
      return;
    }
    saved.current = true;
    await navigate({ to: '/admin/$kind', params: { kind: kind.path }, search: readListSearch });
  };

  /** Saves mine and theirs together; asks first when both changed the same field and nobody has decided yet. */
  const mergeAndSave = (
    checked: FieldValues,
    opened: ContentRow,
    current: ContentRow,
    takesTheirs?: (path: MergePath) => boolean,
  ): Promise<void> | undefined => {
    const merge = mergeThreeWay(savedValues(kind, opened), checked, savedValues(kind, current), takesTheirs);
    if (merge.conflicts.length > 0 && !takesTheirs) {
      setConflict({ checked, merged: { opened, current, merge } });
      return;
    }
    setConflict(null);
    taken.current = [...taken.current, ...merge.taken];
    const result = kind.schema.safeParse(merge.value);
    if (result.success) return save(result.data, current);
    // Each was right by itself, both together are not: the form shows what is missing, with everything in it.
    form.reset(merge.value, { keepDefaultValues: true });
    onBasis(current);
    toast.error('Merged, but not saved yet', takenSentence(taken.current));
    return form.trigger(undefined, { shouldFocus: true }).then(() => undefined);
  };

  return {
    save: (checked: FieldValues, base: ContentRow | undefined) => {
      taken.current = [];
      return save(checked, base);
    },
    mergeAndSave,
    saved,
    refusal: refusalOf(create.error ?? update.error),
    isSaving: create.isPending || update.isPending,
    conflict,
    setConflict,
  };
}

/** Returns the column whose picture has no words, of a refusal by private.require_alt_texts(). */
function withoutAltText(error: unknown): { column: string; message: string } | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'PT422' || !('details' in error))
    return undefined;
  return typeof error.details === 'string' ? { column: error.details, message: error.message } : undefined;
}

/** Returns the error above the form's fields; one that a field shows, or a dialog asks about, is left out. */
function refusalOf(error: Error | null): Error | null {
  return error instanceof EditConflictError || isSlugClash(error) ? null : error;
}

function isSlugClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && error.message.includes('slug');
}
