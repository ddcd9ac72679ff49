import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { type FieldValues, FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import {
  editedSectionQuery,
  isVersioned,
  resetSectionMutation,
  saveSectionMutation,
  type Versioned,
} from '../../data/editing/texts-editing.ts';
import { readSectionContent } from '../../data/pages/read.ts';
import { type PageSlug, type SectionContent, type SectionName, sectionOf } from '../../data/pages/sections.ts';
import { siteNameHint } from '../../data/settings/site-name.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { EditingSign } from '../co-editing/editing-sign.tsx';
import { showSaved } from '../co-editing/show-saved.ts';
import { TextConflictDialog } from '../co-editing/text-conflict-dialog.tsx';
import { useTextSave } from '../co-editing/use-text-save.ts';
import { FormErrors } from '../form/form-errors.tsx';
import { FormSkeleton } from '../form/form-skeleton.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { UnsavedBar } from '../form/unsaved-bar.tsx';
import { HistoryButton } from '../history/history-button.tsx';
import { WaitingNote } from '../releases/waiting-note.tsx';
import { LivePreview } from './live-preview.tsx';
import { SampleNotice } from './sample-notice.tsx';
import { SaveSectionToRelease, SectionInRelease } from './section-in-release.tsx';

export interface SectionEditorProps<Page extends PageSlug, Name extends SectionName<Page>> {
  page: Page;
  name: Name;
  Fields: ComponentType;
  /** The section as the public page draws it. */
  preview: (content: SectionContent<Page, Name>) => ReactNode;
  /** Schema that is checked before saving, if it is stricter than that of reading. */
  schema?: z.ZodObject;
}

/** The form of one section beside the section itself. */
export function SectionEditor<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionEditorProps<Page, Name>,
) {
  const { release } = useSearch({ strict: false });
  return release ? <SectionInRelease {...props} releaseId={release} /> : <SavedSection {...props} />;
}

function SavedSection<Page extends PageSlug, Name extends SectionName<Page>>(props: SectionEditorProps<Page, Name>) {
  const { data: opened, error, isPending, refetch } = useQuery(editedSectionQuery(props.page, props.name));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <SectionForm {...props} initial={opened} />;
}

function SectionForm<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionEditorProps<Page, Name> & { initial: Versioned<SectionContent<Page, Name>> },
) {
  const { page, name, Fields, preview, initial } = props;
  const section = sectionOf(page, name);
  const schema = props.schema ?? section.schema;
  const form = useForm<FieldValues, unknown, FieldValues>({
    resolver: zodResolver(schema),
    defaultValues: initial.content as FieldValues,
  });
  const saving = useTextSave({
    initial,
    mutation: saveSectionMutation(page, name),
    success: 'Content updated successfully',
    failure: 'Error updating content',
    isValid: (merged) => schema.safeParse(merged).success,
    onSaved: (saved, sent, isMerged) => showSaved(form, saved as FieldValues, sent as FieldValues, isMerged),
    onUnsaved: (merged) => {
      form.reset(merged as FieldValues, { keepDefaultValues: true });
      void form.trigger(undefined, { shouldFocus: true });
    },
  });
  const element = useRef<HTMLFormElement>(null);
  useShortcut('s', () => {
    if (!saving.isSaving) element.current?.requestSubmit();
  });

  return (
    <FormProvider {...form}>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <form
          ref={element}
          noValidate
          onSubmit={(event) =>
            void form.handleSubmit((checked) => saving.save(checked as SectionContent<Page, Name>))(event)
          }
          className="grid grid-cols-1 gap-6"
        >
          <div className="flex flex-wrap items-center justify-end gap-2">
            <EditingSign kind="page_content" itemId={`${page}/${name}`} />
            <HistoryButton
              item={{ kind: 'page_content', itemId: `${page}/${name}` }}
              schema={schema}
              place={`pages/${page}/${name}`}
              base={saving.opened}
              valuesOf={(data) => readSectionContent(page, name, String(data['content'])) as FieldValues}
            />
            <ResetButton
              page={page}
              name={name}
              version={saving.opened.version}
              onReset={saving.setOpened as (opened: Versioned<unknown>) => void}
            />
          </div>
          <WaitingNote kind="page_content" itemId={`${page}/${name}`} one="section" />
          <UnsavedBar
            place={`pages/${page}/${name}`}
            schema={schema}
            base={saving.opened}
            onContinue={(base) => isVersioned(base) && saving.setOpened(base as typeof initial)}
          />
          <FormErrors error={saving.refusal} />
          <Fields />
          <SiteNameNote />
          {/* At the left: toasts come up at the right. */}
          <div data-compact className="save-bar">
            <Button type="submit" loading={saving.isSaving} title="Ctrl+S or Cmd+S">
              Save Changes
            </Button>
            <SaveSectionToRelease page={page} name={name} version={saving.opened.version} />
          </div>
        </form>
        <LivePreview draw={preview} notice={(typed) => <SampleNotice page={page} name={name} content={typed} />} />
      </div>
      <LeaveGuard />
      <TextConflictDialog one="section" saving={saving} />
    </FormProvider>
  );
}

function SiteNameNote() {
  const hint = siteNameHint(useWatch());
  return hint && <p className="text-sm text-muted">{hint}</p>;
}

interface ResetButtonProps<Page extends PageSlug> {
  page: Page;
  name: SectionName<Page>;
  /** Version that was opened; no other is deleted. */
  version: string;
  onReset: (opened: Versioned<unknown>) => void;
}

function ResetButton<Page extends PageSlug>({ page, name, version, onReset }: ResetButtonProps<Page>) {
  const form = useFormContext();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutationWithToasts(resetSectionMutation(page, name), {
    success: 'Content updated successfully',
    failure: 'Error updating content',
  });
  const onConfirm = () =>
    reset.mutate(version, {
      onSuccess: (next) => {
        form.reset(sectionOf(page, name).defaults);
        onReset({ content: sectionOf(page, name).defaults, version: next });
      },
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        <RotateCcw aria-hidden="true" />
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
        onConfirm={onConfirm}
      />
    </>
  );
}
