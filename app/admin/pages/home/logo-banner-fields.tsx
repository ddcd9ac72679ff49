import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import type { Logo } from '../../../data/pages/logo-banner.ts';
import { Button } from '../../../ui/button.tsx';
import { LogoPicture } from '../../../ui/logo-picture.tsx';
import { LogoDialog } from './logo-dialog.tsx';

/** The logos in the order of the banner. A dialog adds and edits them; they are saved with the section. */
export function LogoBannerFields() {
  const { field } = useController({ name: 'logos' });
  const logos: Logo[] = field.value;
  const sorted = logos.toSorted((first, second) => first.order - second.order);
  const [dialog, setDialog] = useState<{ mode: 'add' | 'edit'; logo: Logo } | null>(null);
  const add = useRef<HTMLButtonElement>(null);

  const put = (logo: Logo) => {
    const isNew = !logos.some(({ id }) => id === logo.id);
    field.onChange(isNew ? [...logos, logo] : logos.map((other) => (other.id === logo.id ? logo : other)));
    setDialog(null);
  };
  const newLogo = (): Logo => ({
    id: `logo-${Date.now()}`,
    name: '',
    imageUrl: '',
    order: Math.max(0, ...logos.map(({ order }) => order)) + 1,
  });

  return (
    <div className="grid grid-cols-1 gap-3">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {sorted.map((logo) => (
          <li key={logo.id} className="flex items-center gap-3 py-2 pr-2 pl-4">
            <span className="w-8 shrink-0 font-mono text-label text-muted">{logo.order}</span>
            {logo.imageUrl && (
              <LogoPicture
                src={logo.imageUrl}
                alt=""
                isLight={logo.isLight}
                otherwise={null}
                className="h-10 w-20 px-2 py-1.5"
              />
            )}
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{logo.name}</span>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Edit ${logo.name}`}
              onClick={() => setDialog({ mode: 'edit', logo })}
            >
              <Pencil aria-hidden="true" />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove ${logo.name}`}
              onClick={() => {
                field.onChange(logos.filter(({ id }) => id !== logo.id));
                add.current?.focus();
              }}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
        {logos.length === 0 && <li className="p-4 text-muted">No logos: the banner is not shown.</li>}
      </ul>
      <div>
        <Button ref={add} variant="secondary" onClick={() => setDialog({ mode: 'add', logo: newLogo() })}>
          <Plus aria-hidden="true" />
          Add logo
        </Button>
      </div>
      {dialog && <LogoDialog {...dialog} onDone={put} onClose={() => setDialog(null)} />}
    </div>
  );
}
