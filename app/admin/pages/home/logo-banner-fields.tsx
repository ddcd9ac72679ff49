import { arrayMove } from '@dnd-kit/sortable';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import type { Logo } from '../../../content/pages/logo-banner.ts';
import { Button } from '../../../ui/button.tsx';
import { GeneratedLogo } from '../../../ui/generated-logo.tsx';
import { SortableList } from '../../../ui/list/sortable-list.tsx';
import { LogoPicture } from '../../../ui/logo-picture.tsx';
import { LogoDialog } from './logo-dialog.tsx';

/** Renders the logos in banner order, with a dialog to add or edit a logo. All logos are saved with the section. */
export function LogoBannerFields() {
  const { field } = useController({ name: 'logos' });
  const logos: Logo[] = field.value;
  const sorted = logos
    .toSorted((first, second) => first.order - second.order)
    .map((logo) => ({ ...logo, title: logo.name }));
  const [dialog, setDialog] = useState<{ mode: 'add' | 'edit'; logo: Logo } | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);

  const saveLogo = (logo: Logo) => {
    const isNew = !logos.some(({ id }) => id === logo.id);
    field.onChange(isNew ? [...logos, logo] : logos.map((other) => (other.id === logo.id ? logo : other)));
    setDialog(null);
  };
  const move = (from: number, to: number) => {
    const ids = arrayMove(sorted, from, to).map(({ id }) => id);
    field.onChange(logos.map((logo) => ({ ...logo, order: ids.indexOf(logo.id) + 1 })));
  };
  const newLogo = (): Logo => ({
    id: `logo-${Date.now()}`,
    name: '',
    imageUrl: '',
    order: Math.max(0, ...logos.map(({ order }) => order)) + 1,
  });

  return (
    <div className="grid grid-cols-1 gap-3">
      {logos.length === 0 && (
        <p className="rounded-lg border border-line p-4 text-muted">No logos. The banner is hidden.</p>
      )}
      {logos.length > 0 && (
        <SortableList items={sorted} onMove={move}>
          {(logo, handle, position) => (
            <LogoRow
              logo={logo}
              position={position}
              handle={handle}
              onEdit={() => setDialog({ mode: 'edit', logo: logos.find(({ id }) => id === logo.id) ?? logo })}
              onRemove={() => {
                field.onChange(logos.filter(({ id }) => id !== logo.id));
                addButton.current?.focus();
              }}
            />
          )}
        </SortableList>
      )}
      <div>
        <Button ref={addButton} variant="secondary" onClick={() => setDialog({ mode: 'add', logo: newLogo() })}>
          <Plus aria-hidden="true" />
          Add logo
        </Button>
      </div>
      {dialog && <LogoDialog {...dialog} onDone={saveLogo} onClose={() => setDialog(null)} />}
    </div>
  );
}

interface LogoRowProps {
  logo: Logo;
  /** Position in the banner, which also selects the monogram of a logo without a picture. */
  position: number;
  handle: ReactNode;
  onEdit: () => void;
  onRemove: () => void;
}

function LogoRow({ logo, position, handle, onEdit, onRemove }: LogoRowProps) {
  return (
    <div className="flex items-center gap-3 py-2 pr-2 pl-1.5">
      {handle}
      {logo.imageUrl ? (
        <>
          <LogoPicture
            src={logo.imageUrl}
            alt=""
            isLight={logo.isLight}
            fallback={null}
            className="h-10 w-20 px-2 py-1.5"
          />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{logo.name}</span>
        </>
      ) : (
        // The picture includes the name.
        <div className="flex h-10 min-w-0 flex-1 items-center px-2">
          <GeneratedLogo name={logo.name} position={position} />
        </div>
      )}
      <Button variant="ghost" size="icon" aria-label={`Edit ${logo.name}`} onClick={onEdit}>
        <Pencil aria-hidden="true" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={`Remove ${logo.name}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
    </div>
  );
}
