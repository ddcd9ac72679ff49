import { clsx } from 'clsx';
import { createContext, type ReactNode, Suspense, use, useEffect, useEffectEvent, useRef } from 'react';
import { FormProvider } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { FormErrors } from '../ui/form/form-errors.tsx';
import { FormSkeleton } from '../ui/form/form-skeleton.tsx';
import { LeaveGuard } from '../ui/form/leave-guard.tsx';
import { SaveError } from '../ui/form/save-error.tsx';
import { Form } from '../ui/form.tsx';
import { useShortcut } from '../ui/lib/use-shortcut.ts';
import { Conflict } from './conflict.tsx';
import { isVersioned, type StoredRow } from './document.ts';
import type { ContentVersion, VersionData } from './history/content-versions.ts';
import { HistoryButton, useRestore } from './history/history-button.tsx';
import { PageEditingContext } from './page-editing-context.ts';
import { PresenceIndicator } from './presence-indicator.tsx';
import { PendingChangeNote } from './releases/pending-change-note.tsx';
import { buildChange } from './releases/releases.ts';
import { SaveToRelease } from './releases/save-to-release.tsx';
import { ShowOnPage } from './show-on-page.tsx';
import { UnsavedBar } from './unsaved-bar.tsx';
import type { Editing } from './use-document.ts';

const EditingContext = createContext<(Editing & { isReadOnly: boolean }) | null>(null);

interface DocumentFormProps {
  editing: Editing;
  /** Title and actions above the fields. */
  header?: ReactNode;
  children: ReactNode;
  /** SaveBar or buttons below the fields. */
  bar: ReactNode;
  /** Shown beside the form, such as a preview. */
  aside?: ReactNode;
  /** Layout class for the form and the aside. */
  asideClass?: string;
  /**
   * True if the screen has several forms. Errors are then shown only at the fields, and shortcuts work only inside the
   * focused form.
   */
  isCard?: boolean;
  /** True if the document can no longer be saved. */
  isReadOnly?: boolean;
  id?: string;
  className?: string;
}

/** Renders the form of any document. Typing rerenders only the edited field. */
export function DocumentForm(props: DocumentFormProps) {
  const { editing, header, children, bar, isCard = false, isReadOnly = false, id, className = 'gap-6' } = props;
  const { asideClass = 'lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]' } = props;
  const { document, form, openedVersion, saved, saveError } = editing;
  const element = useRef<HTMLFormElement>(null);
  const pageEditing = use(PageEditingContext);
  // The page itself is the preview.
  const aside = pageEditing ? undefined : props.aside;
  return (
    <EditingContext value={{ ...editing, isReadOnly }}>
      <FormProvider {...form}>
        <div className={clsx(aside !== undefined && ['grid grid-cols-1 items-start gap-8', asideClass])}>
          <Form
            ref={element}
            id={id}
            savesByKeyboard={isCard}
            onSubmit={form.handleSubmit(editing.save)}
            className={clsx('grid grid-cols-1', className)}
          >
            {header}
            {document.id !== undefined && (
              <PendingChangeNote kind={document.kind} itemId={document.id} singular={document.singular} />
            )}
            <UnsavedBar
              formKey={document.formKey}
              schema={document.schema}
              base={openedVersion}
              saved={saved}
              onContinue={(base) => isVersioned(base) && editing.setOpenedVersion(base)}
            />
            {isCard ? <SaveError error={saveError} /> : <FormErrors error={saveError} />}
            <Suspense fallback={<FormSkeleton />}>
              {children}
              {bar}
            </Suspense>
          </Form>
          {aside}
        </div>
        {!isCard && !isReadOnly && (
          <SaveShortcut onPress={() => editing.isSaving || element.current?.requestSubmit()} />
        )}
        {!isCard && <LeaveGuard saved={saved} />}
        {pageEditing && <ShowOnPage editing={editing} show={pageEditing.show} />}
        <Conflict editing={editing} />
      </FormProvider>
    </EditingContext>
  );
}

function SaveShortcut({ onPress }: { onPress: () => void }) {
  useShortcut('s', onPress);
  return null;
}

/** Renders the save button, followed by `children`. Aligned left, because toasts appear on the right. */
export function SaveBar({ label, children }: { label: string; children?: ReactNode }) {
  const { isSaving, isReadOnly } = useEditing();
  return (
    <div data-compact className="save-bar">
      <Button type="submit" loading={isSaving} disabled={isReadOnly} title="Ctrl+S or Cmd+S">
        {label}
      </Button>
      {children}
    </div>
  );
}

/** Renders the presence indicator of the surrounding form. */
export function DocumentPresence() {
  const { kind, id } = useEditing().document;
  return id !== undefined && <PresenceIndicator kind={kind} itemId={id} />;
}

interface DocumentHistoryProps {
  /** Subject of the history for screen readers, such as 'Site name'. */
  subject?: string;
  /** Id of the row, if the document consists of several rows. */
  id?: string;
}

/** Renders the history button of the surrounding form. */
export function DocumentHistory({ subject, id }: DocumentHistoryProps) {
  const { document, openedVersion } = useEditing();
  const { kind, schema, formKey } = document;
  const itemId = id ?? document.id;
  return (
    itemId !== undefined && (
      <HistoryButton
        item={{ kind, itemId }}
        subject={subject}
        schema={schema}
        formKey={formKey}
        base={openedVersion}
        toFormValues={(row: StoredRow) => document.restored?.(row) ?? document.fromRow(row)}
      />
    )
  );
}

/** Version selected in a history that several forms share. */
export interface RestoredVersion {
  data: VersionData;
  version: ContentVersion;
}

interface DocumentRestoreProps extends RestoredVersion {
  /** Called after the version was copied into the form. */
  onRestored: () => void;
}

/** Copies a version into the surrounding form. */
export function DocumentRestore({ data, version, onRestored }: DocumentRestoreProps) {
  const { document, openedVersion } = useEditing();
  const { schema, formKey } = document;
  const restore = useRestore({
    ...{ schema, formKey },
    base: openedVersion,
    toFormValues: (row) => document.restored?.(row) ?? document.fromRow(row),
  });
  const copy = useEffectEvent(() => {
    restore(data, version);
    onRestored();
  });
  useEffect(() => copy(), []);
  return null;
}

interface DocumentReleaseProps {
  /** Compact variant for screens with many forms. */
  size?: 'sm' | 'md';
  onSaved?: () => void;
}

/** Saves the surrounding form to a release instead of publishing it. Then closes or resets the form. */
export function DocumentRelease({ size, onSaved }: DocumentReleaseProps) {
  const { document, openedVersion, form, saved, leave } = useEditing();
  return (
    <SaveToRelease
      singular={document.singular}
      size={size}
      buildChange={(values) => buildChange(document, values, openedVersion)}
      onSaved={() => {
        if (leave) {
          saved.current = true;
          leave();
        } else form.reset();
        onSaved?.();
      }}
    />
  );
}

function useEditing() {
  const editing = use(EditingContext);
  if (!editing) throw new Error('Must be used inside a DocumentForm.');
  return editing;
}
