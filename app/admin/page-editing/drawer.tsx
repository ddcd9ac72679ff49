import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { capitalized } from '../../api/places/kind-names.ts';
import { EditItem } from '../../content/admin/edit-item.tsx';
import { NewItem } from '../../content/admin/new-item.tsx';
import { KINDS } from '../../content/kinds.ts';
import { PageEditingContext } from '../../editing/page-editing-context.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { SingleColumn } from '../../ui/form/form-columns.tsx';
import { focusField } from '../../ui/form/form-errors.tsx';
import { ABOUT_TABS } from '../pages/about-editors.tsx';
import { HEADER_TABS } from '../pages/header-editors.tsx';
import { HOME_TABS } from '../pages/home/home-editors.tsx';
import { LEGAL_TABS } from '../pages/legal-editors.tsx';
import type { EditableField } from './editable-fields.ts';
import { showValuesIn } from './show-values.ts';

const SECTIONS = [...HOME_TABS, ...ABOUT_TABS, ...HEADER_TABS, ...LEGAL_TABS];

interface DrawerProps {
  /** Id of the signed-in editor. */
  editorId: string;
  field: EditableField;
  /** Opens another form in the drawer. */
  onOpen: (field: EditableField) => void;
  onClose: () => void;
  /** Called after an item was saved. */
  onSaved: () => void;
}

/** Shows the form of a field beside the page, or at the bottom of narrow screens. The page stays usable. */
export function Drawer({ editorId, field, onOpen, onClose, onSaved }: DrawerProps) {
  const client = useQueryClient();
  // Radix mounts the panel after the first effects.
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  const show = useMemo(() => showValuesIn(client), [client]);
  const { title, form, action } = renderForm(field, onOpen);
  useSpaceForDrawer();
  useFocusField(field, panel);
  const preventDefault = (event: Event) => event.preventDefault();
  return (
    <Radix.Root open modal={false} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Portal>
        <Radix.Content
          ref={setPanel}
          aria-describedby={undefined}
          onInteractOutside={preventDefault}
          onOpenAutoFocus={preventDefault}
          onCloseAutoFocus={preventDefault}
          className="fixed inset-x-0 bottom-(--preview-bar,0px) z-50 flex h-[60dvh] flex-col border-t border-line bg-canvas shadow-lg animate-fade lg:top-0 lg:left-auto lg:h-auto lg:w-md lg:border-t-0 lg:border-l print:hidden"
        >
          <div className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4 md:pl-6">
            <Radix.Title className="mr-auto min-w-0 truncate text-lg font-semibold">{title}</Radix.Title>
            {action}
            <Radix.Close aria-label="Close" className={buttonClass({ variant: 'ghost', size: 'icon' })}>
              <X aria-hidden="true" />
            </Radix.Close>
          </div>
          <div className="min-h-0 grow overflow-y-auto px-4 pt-4 [--form-top:0px] md:px-6">
            <PageEditingContext value={{ editorId, show, close: onSaved }}>
              <SingleColumn value={true}>{form}</SingleColumn>
            </PageEditingContext>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function renderForm(
  { kind: table, id }: EditableField,
  onOpen: DrawerProps['onOpen'],
): Record<'title' | 'form' | 'action', ReactNode> {
  const kind = KINDS.find((candidate) => candidate.table === table);
  if (!kind) {
    const section = SECTIONS.find((candidate) => candidate.id === id);
    return { title: section?.label, form: <div key={id}>{section?.editor}</div>, action: null };
  }
  if (id === '') {
    return {
      title: `New ${kind.singular}`,
      form: <NewItem key="new" kind={kind} copyOf={undefined} title={undefined} />,
      action: null,
    };
  }
  return {
    title: capitalized(kind.singular),
    form: <EditItem key={id} kind={kind} id={id} isToBePublished={false} />,
    action: (
      <Button
        variant="ghost"
        size="sm"
        icon={Plus}
        onClick={() => onOpen({ kind: table, id: '', path: '', value: '' })}
      >
        New {kind.singular}
      </Button>
    ),
  };
}

/** Pads the page, so that the drawer at the side or the bottom does not cover its content. */
function useSpaceForDrawer() {
  useEffect(() => {
    const { style } = document.documentElement;
    if (matchMedia('(width >= 64rem)').matches) style.paddingRight = 'var(--container-md)';
    else style.paddingBottom = 'calc(60dvh + var(--preview-bar, 0px))';
    return () => {
      style.paddingRight = style.paddingBottom = '';
    };
  }, []);
}

/** Focuses the field as soon as the form has loaded. */
function useFocusField({ kind, id, path }: EditableField, panel: HTMLElement | null) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form of another document has to load first
  useEffect(() => {
    if (!panel) return;
    panel.focus({ preventScroll: true });
    const focus = () => {
      const form = panel.querySelector('form');
      if (!form?.querySelector('input, textarea')) return;
      changes.disconnect();
      focusField(form, path);
    };
    const changes = new MutationObserver(focus);
    changes.observe(panel, { childList: true, subtree: true });
    focus();
    return () => changes.disconnect();
  }, [kind, id, path, panel]);
}
