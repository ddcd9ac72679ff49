import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { type FieldValues, FormProvider, useForm } from 'react-hook-form';
import { createMutation, EditConflictError, updateMutation } from '../../data/editing.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { messageOf } from '../form/message-of.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useShortcut } from '../shell/use-shortcut.ts';
import { changedByOthers } from './changed-by-others.ts';
import { type Conflict, ConflictDialog } from './conflict-dialog.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { type AnyRow, type ContentScreen, capitalized, titleCased } from './screen.ts';

interface ContentFormProps {
  screen: ContentScreen;
  /** The item as it was opened; without it the form creates one. */
  opened?: AnyRow;
  /** What the fields start with. */
  values: FieldValues;
  /** Starts the form again with the item as somebody else left it. */
  onReload?: () => void;
}

/** The one form of all kinds of content. Typing renders nothing but the field itself. */
export function ContentForm({ screen, opened, values, onReload }: ContentFormProps) {
  const form = useForm<FieldValues, unknown, FieldValues>({
    resolver: zodResolver(screen.kind.schema),
    defaultValues: values,
  });
  const navigate = useNavigate();
  const create = useMutation(createMutation(screen.kind));
  const update = useMutation(updateMutation(screen.kind));
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const saved = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const busy = create.isPending || update.isPending;
  useShortcut('s', () => {
    if (!busy) element.current?.requestSubmit();
  });

  /** Saves over the version of `base`; without one, as a new item. */
  const save = async (checked: FieldValues, base: AnyRow | undefined): Promise<void> => {
    const row = screen.kind.toRow(checked);
    try {
      if (base) await update.mutateAsync({ id: base.id, values: row, openedAt: base.updated_at });
      else await create.mutateAsync(row);
    } catch (error) {
      if (error instanceof EditConflictError) {
        const current = error.current as AnyRow | null;
        // Saved by somebody without a change: nothing to decide.
        if (opened && current && changedByOthers(opened, current, row).length === 0) return save(checked, current);
        return setConflict({ mine: row, current, checked });
      }
      if (isSlugClash(error)) {
        form.setError('slug', { message: `Another ${screen.one} already has this slug.` }, { shouldFocus: true });
      }
      toast.error(`Error ${base ? 'updating' : 'creating'} ${screen.one}`, messageOf(error));
      return;
    }
    saved.current = true;
    toast.success(`${capitalized(screen.one)} ${base ? 'updated' : 'created'} successfully`);
    await navigate({ to: '/admin/$kind', params: { kind: screen.path } });
  };

  const { Fields } = screen;
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        noValidate
        onSubmit={(event) => void form.handleSubmit((checked) => save(checked, opened))(event)}
        className="grid max-w-[45rem] grid-cols-1 gap-6"
      >
        <PageHeader title={`${opened ? 'Edit' : 'New'} ${titleCased(screen.one)}`} />
        <Suspense fallback={<FormSkeleton />}>
          <div className="grid grid-cols-1 gap-6">
            <Fields />
          </div>
          {/* At the left: toasts come up at the right. */}
          <div className="sticky bottom-0 z-10 -mx-4 flex gap-3 border-t border-line bg-canvas px-4 py-3 md:mx-0 md:px-0">
            <Button type="submit" loading={busy} title="Ctrl+S or Cmd+S">
              {opened ? 'Update' : 'Create'}
            </Button>
            <ButtonLink to="/admin/$kind" params={{ kind: screen.path }} variant="secondary">
              Cancel
            </ButtonLink>
          </div>
        </Suspense>
      </form>
      <LeaveGuard saved={saved} />
      {opened && conflict && (
        <ConflictDialog
          screen={screen}
          opened={opened}
          conflict={conflict}
          onKeepEditing={() => setConflict(null)}
          onReload={() => onReload?.()}
          onOverwrite={() => {
            setConflict(null);
            void save(conflict.checked, conflict.current ?? undefined);
          }}
        />
      )}
    </FormProvider>
  );
}

function isSlugClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && error.message.includes('slug');
}
