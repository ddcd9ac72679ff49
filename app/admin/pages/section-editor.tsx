import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { type FieldValues, FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { type PageSlug, type SectionContent, type SectionName, sectionOf } from '../../data/page-content/sections.ts';
import { siteNameHint } from '../../data/site-name.ts';
import { editedSectionQuery, resetSectionMutation, saveSectionMutation } from '../../data/texts-editing.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { FormSkeleton } from '../form/form-skeleton.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { UnsavedBar } from '../form/unsaved-bar.tsx';
import { LivePreview } from './live-preview.tsx';
import { SampleNotice } from './sample-notice.tsx';

export interface SectionEditorProps<Page extends PageSlug, Name extends SectionName<Page>> {
  page: Page;
  name: Name;
  Fields: ComponentType;
  /** The section as the public page draws it. */
  preview: (content: SectionContent<Page, Name>) => ReactNode;
  /** What is checked before saving, where it is more than what reading asks for. */
  schema?: z.ZodObject;
}

/** The form of one section beside the section itself. */
export function SectionEditor<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionEditorProps<Page, Name>,
) {
  const { data: content, error, isPending, refetch } = useQuery(editedSectionQuery(props.page, props.name));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <SectionForm {...props} content={content} />;
}

function SectionForm<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionEditorProps<Page, Name> & { content: SectionContent<Page, Name> },
) {
  const { page, name, Fields, preview, content } = props;
  const section = sectionOf(page, name);
  const schema = props.schema ?? section.schema;
  const form = useForm<FieldValues, unknown, FieldValues>({
    resolver: zodResolver(schema),
    defaultValues: content as FieldValues,
  });
  const save = useMutationWithToasts(saveSectionMutation(page, name), {
    success: 'Content updated successfully',
    failure: 'Error updating content',
  });
  const element = useRef<HTMLFormElement>(null);
  useShortcut('s', () => {
    if (!save.isPending) element.current?.requestSubmit();
  });

  const onSave = (checked: FieldValues) =>
    save.mutate(checked as SectionContent<Page, Name>, {
      // What was typed meanwhile stays.
      onSuccess: () => form.reset(checked, { keepValues: true }),
    });

  return (
    <FormProvider {...form}>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <form
          ref={element}
          noValidate
          onSubmit={(event) => void form.handleSubmit(onSave)(event)}
          className="grid grid-cols-1 gap-6"
        >
          <UnsavedBar place={`pages/${page}/${name}`} schema={schema} />
          <Fields />
          <SiteNameNote />
          {/* At the left: toasts come up at the right. */}
          <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap gap-3 border-t border-line bg-canvas/95 px-4 py-3 md:mx-0 md:px-0">
            <Button type="submit" loading={save.isPending} title="Ctrl+S or Cmd+S">
              Save Changes
            </Button>
            <ResetButton page={page} name={name} />
          </div>
        </form>
        <LivePreview draw={preview} notice={(typed) => <SampleNotice page={page} name={name} content={typed} />} />
      </div>
      <LeaveGuard />
    </FormProvider>
  );
}

function SiteNameNote() {
  const hint = siteNameHint(useWatch());
  return hint && <p className="text-sm text-muted">{hint}</p>;
}

function ResetButton<Page extends PageSlug>({ page, name }: { page: Page; name: SectionName<Page> }) {
  const form = useFormContext();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutationWithToasts(resetSectionMutation(page, name), {
    success: 'Content updated successfully',
    failure: 'Error updating content',
  });
  const onReset = () =>
    reset.mutate(undefined, {
      onSuccess: () => form.reset(sectionOf(page, name).defaults),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Reset to default
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Reset to default?"
        description="The saved texts of this section are deleted, and the built-in ones are shown again."
        confirmLabel="Reset"
        destructive
        loading={reset.isPending}
        onConfirm={onReset}
      />
    </>
  );
}
