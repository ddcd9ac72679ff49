import { useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check, Pencil } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Account } from '../../accounts/session.ts';
import { useSessionSync } from '../../accounts/use-session-sync.ts';
import { AskAboutDuplicates } from '../../media/ask-about-duplicates.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hasUnsavedChanges } from '../shell/has-unsaved-changes.ts';
import { SignInAgainDialog } from '../shell/sign-in-again-dialog.tsx';
import { useSignInAgain } from '../shell/use-sign-in-again.ts';
import { Drawer } from './drawer.tsx';
import { EDIT_BUTTON_CLASS } from './edit-button-class.ts';
import { type EditableField, fieldKey } from './editable-fields.ts';
import type { PositionedMatch } from './position-matches.ts';
import { useMatches } from './use-matches.ts';

/** Duration of the layout change that makes room for the drawer, in milliseconds. */
const LAYOUT_MS = 350;

interface EditModeProps {
  account: Account;
  onEnd: () => void;
}

/** Renders a button over each editable text and picture of the page, and the form for the selected text or picture. */
export default function EditMode({ account, onEnd }: EditModeProps) {
  const { closeDialog, stayOnPage } = useSignInAgain(account);
  useSessionSync(account, { onEnd: stayOnPage, isSignInDialogOpen: closeDialog !== null });
  const layer = useRef<HTMLElement>(null);
  const positionedMatches = useMatches(layer);
  const [openField, setOpenField] = useState<EditableField | null>(null);
  const [discard, setDiscard] = useState<(() => void) | null>(null);
  const pressedButton = useRef<HTMLElement>(null);
  useCloseOnNavigation(() => setOpenField(null));
  useScrollToOpen(openField, layer);

  /** Asks for confirmation before a form with unsaved changes is closed or replaced. */
  const leave = (action: () => void) => (openField && hasUnsavedChanges() ? setDiscard(() => action) : action());
  const edit = (field: EditableField) => {
    if (openField && openField.kind === field.kind && openField.id === field.id) setOpenField(field);
    else leave(() => setOpenField(field));
  };
  const close = () => {
    setOpenField(null);
    pressedButton.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Button ref={focusOnMount} icon={Check} className={EDIT_BUTTON_CLASS} onClick={() => leave(onEnd)}>
        Done editing
      </Button>
      <section
        ref={layer}
        aria-label="Editable content"
        className="pointer-events-none absolute inset-0 z-30 print:hidden"
      >
        {positionedMatches.map((pencil) => (
          <PencilButton
            key={pencil.key}
            pencil={pencil}
            isOpen={openField !== null && fieldKey(openField) === fieldKey(pencil.field)}
            onPress={(button) => {
              pressedButton.current = button;
              edit(pencil.field);
            }}
          />
        ))}
      </section>
      {openField && (
        <Drawer editorId={account.id} field={openField} onOpen={edit} onClose={() => leave(close)} onSaved={close} />
      )}
      <ConfirmDialog
        open={discard !== null}
        onOpenChange={(isOpen) => isOpen || setDiscard(null)}
        title="Leave without saving?"
        description="Your changes on this page have not been saved."
        confirmLabel="Leave"
        cancelLabel="Stay"
        destructive
        focusAfter={pressedButton}
        onConfirm={() => {
          setDiscard(null);
          discard?.();
        }}
      />
      <AskAboutDuplicates />
      {closeDialog && <SignInAgainDialog account={account} onClose={closeDialog} />}
    </>
  );
}

function focusOnMount(button: HTMLButtonElement | null) {
  button?.focus({ preventScroll: true });
}

function useCloseOnNavigation(close: () => void) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [openedOn, setOpenedOn] = useState(path);
  if (openedOn === path) return;
  setOpenedOn(path);
  close();
}

/** Scrolls the edited text into view. On narrow screens, the drawer covers the lower part of the page. */
function useScrollToOpen(openField: EditableField | null, layer: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!openField) return;
    const timer = setTimeout(() => {
      const isNarrow = matchMedia('(width < 64rem)').matches;
      layer.current?.querySelector('[aria-expanded=true]')?.scrollIntoView({ block: isNarrow ? 'start' : 'nearest' });
    }, LAYOUT_MS);
    return () => clearTimeout(timer);
  }, [openField, layer]);
}

interface PencilButtonProps {
  pencil: PositionedMatch;
  isOpen: boolean;
  onPress: (button: HTMLElement) => void;
}

function PencilButton({ pencil: { label, box }, isOpen, onPress }: PencilButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Edit ${label}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={(event) => onPress(event.currentTarget)}
      style={box}
      className="group pointer-events-auto absolute scroll-mt-24 rounded-sm outline-accent hover:outline-2 aria-expanded:outline-2 pointer-coarse:outline-1 pointer-coarse:outline-dashed"
    >
      <span
        aria-hidden="true"
        className={clsx(
          'absolute -top-3 -right-3 grid size-6 place-items-center rounded-full bg-accent text-on-accent shadow-sm',
          !isOpen && 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
        )}
      >
        <Pencil className="size-3.5" />
      </span>
    </button>
  );
}
